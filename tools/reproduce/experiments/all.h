/* SPDX-License-Identifier: MIT */
/* The experiments, in the order of the gallery. A new one is one file and one entry here. */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_ALL_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_ALL_H

#include "../experiment.h"

/* clang-format off */
#define EXPERIMENTS(X)                                                                             \
    /* Cisneros et al. */                                                                          \
    X(S_fig3) X(S_fig4) X(S_fig7) X(S_fig8) X(S_fig12) X(S_fig13)                                  \
    /* Kikuuwe et al. 2006 */                                                                      \
    X(K_fig1) X(K_fig5) X(K_fig6) X(K_fig7) X(K_fig8) X(K_fig11) X(K_fig13) X(K_fig14)             \
    X(K_fig16) X(K_fig19)                                                                          \
    /* Kikuuwe and Yamamoto */                                                                     \
    X(R_sim1) X(R_sim2) X(R_sim3)                                                                  \
    /* Dupont et al. */                                                                            \
    X(E_table1) X(E_fig3) X(E_fig4) X(E_fig6) X(E_fig8)                                            \
    /* Drincic and Bernstein */                                                                    \
    X(B_fig3) X(B_fig5) X(B_fig6) X(B_fig7) X(B_fig9) X(B_fig10) X(B_fig11) X(B_fig12)             \
    X(B_fig13) X(B_fig14) X(B_fig15)                                                               \
    /* our own */                                                                                  \
    X(own_models) X(own_parameters) X(own_compensation) X(own_real_wrist)
/* clang-format on */

#define EXPERIMENT_DECLARED(name) extern const experiment name;
EXPERIMENTS(EXPERIMENT_DECLARED)

#endif
