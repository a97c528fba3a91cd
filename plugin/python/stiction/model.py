# SPDX-License-Identifier: MIT
"""A model: the friction of all joints of one robot, resolved and validated. It does not change."""
from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional, Sequence, Union

from . import _abi, errors
from ._abi import lib
from ._arrays import scalar, whole
from ._handle import Owner
from .joint import Joint, from_c
from .law import Law, PhiZ

if TYPE_CHECKING:
    from .config import Config
    from .state import State


class Model(Owner):
    """The friction of a robot. Any number of threads may step states of it.

    >>> import stiction
    >>> config = stiction.Config.parse('''
    ... stiction: 1
    ... joints: {A: {law: coulomb, coulomb_torque: 1, stiffness: 1000, damping: 10}}
    ... ''')
    >>> model = config.model(["A", "B"], timestep=1e-3)
    >>> model.names, model["A"].law, model["B"].law
    (['A', 'B'], 'coulomb', 'none')
    """

    names: list[str]  #: of the joints, in their order
    sample: int  #: of what is drawn

    def __init__(
        self,
        config: Config,
        joints: Sequence[str],
        timestep: Optional[float] = None,
        *,
        strict: bool = False,
        partial: bool = False,
        sample: int = 0,
    ) -> None:
        from .config import names_to_c

        names, count = names_to_c(joints)
        seconds = 0.0
        if timestep is not None:
            seconds = scalar(timestep, "timestep")
            if not 0 < seconds < float("inf"):
                raise ValueError(f"timestep {timestep!r} must be above 0 and finite, in s")
        definition = _abi.ModelDef(
            seconds, bool(strict), errors.log, partial=bool(partial), sample=whole(sample, "sample")
        )
        self._create(lib.model_create, lib.model_destroy, config._pointer, names, count, definition)
        numbers = range(lib.model_joint_count(self._pointer))
        self.names = [lib.model_joint_name(self._pointer, k).decode() for k in numbers]
        self._timestep = lib.model_timestep(self._pointer)
        self.sample = definition.sample
        # for a copy elsewhere that can draw too
        self._random_text = str(config) if config.is_random else None

    @property
    def timestep(self) -> float:
        """s."""
        return self._timestep

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def index(self, joint: Union[str, int]) -> int:
        """The number of a joint."""
        return joint_index(self.names, joint)

    def joint(self, joint: Union[str, int]) -> Joint:
        """The friction of a joint, by name or number; law ``none`` where it has none."""
        struct = _abi.JointDef.default()
        errors.call(lib.model_joint, self._pointer, self.index(joint), struct)
        return from_c(struct)

    def __getitem__(self, joint: Union[str, int]) -> Joint:
        return self.joint(joint)

    def law(self, joint: Union[str, int] = 0) -> Law:
        """The law of a joint as a curve: ``model.law("RWRR").phi(velocities)``."""
        return self.joint(joint).curve()

    def phi_z(self, joint: Union[str, int] = 0) -> PhiZ:
        """Phi_Z of a joint's bristle at the time step of the model."""
        return self.joint(joint).phi_z(self.timestep)

    @property
    def seed(self) -> int:
        """Of what is drawn."""
        return lib.model_seed(self._pointer)

    def is_random(self, joint: Union[str, int]) -> bool:
        """Whether anything of a joint is drawn."""
        return lib.model_joint_is_random(self._pointer, self.index(joint))

    def state(self) -> State:
        """A state at rest: the bristles of one run."""
        from .state import State

        return State(self)

    def __str__(self) -> str:
        """As YAML that loads to the same, to the bit."""
        from .config import take_text

        return take_text(lib.model_write(self._pointer), "the model")

    def __repr__(self) -> str:
        return f"<stiction.Model of {len(self)} joints, {self.timestep:g} s>"

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return _make_model, (self._random_text or str(self), self.names, self.timestep, self.sample)


def _make_model(text: str, names: list[str], timestep: float, sample: int) -> Model:
    from .config import Config

    return Config.parse(text).model(names, timestep, partial=True, sample=sample)


def joint_index(names: Sequence[str], joint: Union[str, int]) -> int:
    """The number of a joint by its name or number, which may count from the end."""
    if isinstance(joint, str):
        try:
            return names.index(joint)
        except ValueError:
            raise KeyError(f"there is no joint '{joint}' among {', '.join(names)}") from None
    number = joint.__index__()
    if not -len(names) <= number < len(names):
        raise IndexError(f"joint {number} of {len(names)}")
    return number % len(names)
