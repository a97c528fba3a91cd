/*
 * The columns of joints.csv.
 */
#include "joint_columns.h"

#include <math.h>

#define ROW(name, title, unit, linear_unit, required, value, description)                          \
    {#name, title, unit, linear_unit, required, description},
const joint_column joint_columns[JOINT_COLUMN_COUNT] = {JOINT_COLUMNS(ROW)};
#undef ROW

void joint_columns_fill(double *row, const results_sample *s, size_t k) {
#define FILL(name, title, unit, linear_unit, required, value, description)                         \
    row[joint_column_##name] = (value);
    JOINT_COLUMNS(FILL)
#undef FILL
}
