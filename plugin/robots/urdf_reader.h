/* SPDX-License-Identifier: MIT */
/* What the parts of the URDF reader share. */
#ifndef STICTION_ROBOTS_URDF_READER_H
#define STICTION_ROBOTS_URDF_READER_H

#include "body.h"
#include "xml.h"

/* <origin xyz rpy> of an element, or the identity. */
void urdf_read_origin(reader *r, const xml_element *element, double translation[3],
                      double rotation[4]);

/* The shapes of a link's <collision>s. */
void urdf_read_shapes(reader *r, body_file *body, const xml_element *element, body_link *link);

#endif
