# SPDX-License-Identifier: MIT
"""The shortest controller: a spring and a damper to the target of every joint.

    stiction run sample_projects/arm7/arm7.cnoid --controller pd.py --targets J1:30,J2:40
"""
import numpy as np


def step(input):
    target = np.nan_to_num(input.target)  # without a target: 0
    return 100 * (target - input.q) - 10 * input.dq
