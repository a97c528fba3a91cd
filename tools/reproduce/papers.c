/* SPDX-License-Identifier: MIT */
/* The papers, and the table of their experiments. */
#include "papers.h"

#include <string.h>

#include "common/command.h"

const paper papers[] = {
    {"S", "Cisneros et al.",
     "Rafael Cisneros, Mehdi Benallegue, Ryo Kikuuwe, Mitsuharu Morisawa and Fumio Kanehiro",
     "Reliable chattering-free simulation of friction torque in joints presenting high stiction",
     NULL},
    {"K", "Kikuuwe et al. 2006",
     "Ryo Kikuuwe, Naoyuki Takesue, Akihito Sano, Hiromi Mochiyama and Hideo Fujimoto",
     "Admittance and Impedance Representations of Friction Based on Implicit Euler Integration",
     "IEEE Transactions on Robotics, vol. 22, no. 6, 2006"},
    {"R", "Kikuuwe and Yamamoto", "Ryo Kikuuwe and Motoji Yamamoto",
     "A Modular Software Architecture for Simulating Mechanical Systems Involving Coulomb Friction "
     "Integrable by the Runge-Kutta Method",
     NULL},
    {"E", "Dupont et al. 2000", "Pierre Dupont, Brian Armstrong and Vincent Hayward",
     "Elasto-Plastic Friction Model: Contact Compliance and Stiction",
     "American Control Conference, 2000"},
    {"B", "Drin\xC4\x8Di\xC4\x87 and Bernstein",
     "Bojana Drin\xC4\x8Di\xC4\x87 and Dennis S. Bernstein",
     "A Frictionless Bristle-Based Friction Model That Exhibits Hysteresis and Stick-Slip Behavior",
     NULL},
    {.letter = NULL},
};

#define EXPERIMENT_ENTRY(name) &name,
const experiment *const experiments[EXPERIMENT_COUNT] = {EXPERIMENTS(EXPERIMENT_ENTRY)};

const paper *paper_of(const experiment *e) {
    for (const paper *p = papers; p->letter; p++) {
        const size_t length = strlen(p->letter);
        if (strncmp(e->id, p->letter, length) == 0 && e->id[length] == '.') return p;
    }
    return NULL;
}

char *paper_reference(const paper *p) {
    return format_text("%s: %s.%s%s%s", p->authors, p->title, p->published ? " " : "",
                       p->published ? p->published : "", p->published ? "." : "");
}
