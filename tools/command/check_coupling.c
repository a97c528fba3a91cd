/* SPDX-License-Identifier: MIT */
/* Which coupling holds on a robot, and which one a host takes. */
#include "check_coupling.h"

#include <math.h>
#include <string.h>

#include "common/command.h"

implicit_verdict implicit_judge(const stiction_joint_def *def, double timestep) {
    stiction_law_info info;
    if (!def->law || strcmp(def->law, "none") == 0) return IMPLICIT_NO_FRICTION;
    (void)stiction_law_info_find(def->law, &info);
    if (info.reference) return IMPLICIT_NO_POTENTIAL;
    const stability_spring spring = stability_spring_of(def, timestep);
    return stability_is_legal(&spring, timestep) ? IMPLICIT_HOLDS : IMPLICIT_ILLEGAL;
}

const char *implicit_verdict_name(implicit_verdict verdict) {
    static const char *const names[] = {[IMPLICIT_NO_FRICTION] = "no friction",
                                        [IMPLICIT_HOLDS] = "holds",
                                        [IMPLICIT_ILLEGAL] = "illegal",
                                        [IMPLICIT_NO_POTENTIAL] = "no potential"};
    return names[verdict];
}

double legal_stiffness(const stability_spring *spring, double timestep) {
    return fmax(0, (spring->needed - spring->damping) / timestep);
}

double legal_damping(const stability_spring *spring, double timestep) {
    return fmax(0, spring->needed - spring->stiffness * timestep);
}

double legal_timestep(const stability_spring *spring) {
    return spring->damping > spring->needed
               ? 0
               : (spring->needed - spring->damping) / spring->stiffness;
}

coupling_judgement coupling_judge(stiction_coupling configured, const coupling_decision *taken,
                                  const stability_body *explicit_body,
                                  const stiction_joint_def *defs, const stability_spring *springs,
                                  size_t count, double timestep) {
    coupling_judgement j = {.configured = configured,
                            .taken = *taken,
                            .judged = !isnan(taken->ratio),
                            .safe = taken->ratio <= STABILITY_SAFE,
                            .has_potential = true,
                            .implicit_holds = true};
    for (size_t k = 0; k < count; k++) {
        const implicit_verdict verdict = implicit_judge(&defs[k], timestep);
        if (verdict == IMPLICIT_NO_FRICTION) continue;
        j.has_potential = j.has_potential && verdict != IMPLICIT_NO_POTENTIAL;
        j.implicit_holds = j.implicit_holds && verdict == IMPLICIT_HOLDS;
        j.lags = j.lags || defs[k].lag > 0;
        j.implicit_timestep = fmax(j.implicit_timestep, legal_timestep(&springs[k]));
    }
    j.holds =
        j.taken.coupling == STICTION_COUPLING_IMPLICIT ? j.implicit_holds : explicit_body->stable;
    return j;
}

/* ---- sentences ---- */

char *coupling_describe_implicit(const coupling_judgement *j) {
    if (!j->has_potential)
        return copy_text("not possible: a law without a potential cannot be implicit");
    if (!j->implicit_holds) return copy_text("illegal: the notes say which B or K would do");
    if (j->lags) return copy_text("holds for any inertia, at this time step");
    if (j->implicit_timestep > 0)
        return format_text("holds for any inertia, at time steps above %.3g s",
                           j->implicit_timestep);
    return copy_text("holds for any inertia, at any time step");
}

char *coupling_describe_choice(const coupling_judgement *j) {
    const char *name = stiction_coupling_name(j->configured);
    if (j->configured != STICTION_COUPLING_AUTO)
        return format_text("coupling: %s, as the file says", name);
    if (j->safe)
        return copy_text("coupling: auto takes explicit here, which is safe by a factor of two, "
                         "unless the gains of a controller count against it");
    return format_text("coupling: auto takes %s here, since explicit is not %s%s",
                       stiction_coupling_name(j->taken.coupling),
                       j->judged ? "safe by a factor of two" : "judged",
                       j->has_potential ? "" : ", but not every law can be implicit");
}

char *coupling_advise(const coupling_judgement *j, const stability_body *body, bool none_hold) {
    const char *first = !j->has_potential   ? "coupling: implicit, with laws that have a potential "
                                              "(coulomb, stribeck, rational)"
                        : j->implicit_holds ? "coupling: implicit"
                                            : "coupling: implicit, with K and B that are legal";
    const char *by_itself = j->configured == STICTION_COUPLING_AUTO && j->has_potential
                                ? ", which auto takes by itself"
                                : "";
    if (!j->judged) return format_text("%s%s", first, by_itself);
    if (body->stable)
        return format_text("%s%s; explicit is stable, but near its limit", first, by_itself);
    return format_text("%s%s; else, for explicit, the K and B that hold (whole body: %.4g%s)",
                       first, by_itself, body->holding,
                       none_hold ? ", no friction where none do" : "");
}
