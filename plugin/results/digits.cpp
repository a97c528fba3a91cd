/* SPDX-License-Identifier: MIT */
// std::to_chars for C: printf takes four times as long, most of the time of writing joints.csv.
#include "digits.h"

#include <charconv>

namespace {

size_t length(const char *text, std::to_chars_result result) {
    return result.ec == std::errc() ? static_cast<size_t>(result.ptr - text) : 0;
}

} // namespace

size_t digits_write(double value, char text[DIGITS_SIZE]) {
    return length(text,
                  std::to_chars(text, text + DIGITS_SIZE, value, std::chars_format::general, 17));
}

size_t digits_write_fixed(double value, int decimals, char text[DIGITS_SIZE]) {
    return length(
        text, std::to_chars(text, text + DIGITS_SIZE, value, std::chars_format::fixed, decimals));
}
