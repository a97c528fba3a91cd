/* SPDX-License-Identifier: MIT
 * The problems; each has its page of definition in problems/.
 */
#ifndef STICTION_PEERS_PROBLEMS_H
#define STICTION_PEERS_PROBLEMS_H

#include "peer.h"

extern bool peers_reduced; /* shorter runs */

/* A figure of a contestant. `why`: it has none, as it failed, or cannot do it; NULL. */
void report(const char *problem, const peer *p, const char *figure, const char *unit, double value,
            const char *why);
/* What it is measured against, and the distance of a second method. */
void report_reference(const char *problem, const char *figure, const char *unit, double value,
                      double error);

/* Of one level of friction: that one; otherwise the chain as it is. */
chain with_level(const peer *p, chain c, double level);
/* For a creep that is one no more. */
const char *why_creep(double creep);

/* Before the others. */
void find_joint_references(void);
void find_chain_references(void);

void measure_hold(const peer *p);
void measure_disturbed(const peer *p);
void measure_ramp(const peer *p);
void measure_reversals(const peer *p);
void measure_stick_slip(const peer *p);
void measure_wrist(const peer *p);
void measure_load(const peer *p);
void measure_coasting(const peer *p);
void measure_contact(const peer *p);
void measure_cost(const peer *p);

#endif
