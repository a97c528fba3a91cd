/* SPDX-License-Identifier: MIT
 * choreonoid --no-window --stiction-batch OUTDIR PROJECT: runs every simulator item of the project
 * one after the other, writes the results and ends the program. The environment variable
 * STICTION_BATCH does the same. Other variables override values of the project: BatchOverrides.h.
 */
#ifndef CNOID_STICTION_PLUGIN_BATCH_H
#define CNOID_STICTION_PLUGIN_BATCH_H

namespace cnoid {

//! Does nothing unless the option or its variable is given.
void initializeStictionBatch();

//! The last thing of the program: a batch run ends here, and leaves the user's settings as they are.
void finalizeStictionBatch();

}

#endif
