/* SPDX-License-Identifier: MIT
 * What `stiction run` learns from a batch run: JSON lines on a pipe, whose descriptor is in the
 * environment variable STICTION_EVENTS. Each is an object with one key: error, warning, message
 * (texts), choreonoid (an error of Choreonoid itself, often the consequence of one of ours),
 * plugin (its version, as soon as it is loaded), or progress ([simulated, duration], s).
 */
#ifndef CNOID_STICTION_PLUGIN_BATCH_EVENTS_H
#define CNOID_STICTION_PLUGIN_BATCH_EVENTS_H

#include <json/json_out.h>
#include <fcntl.h>
#include <unistd.h>
#include <cstdlib>
#include <iostream>
#include <string>

namespace cnoid {

//! -1: nobody reads events. Programs that the plugin starts do not inherit the pipe.
inline int eventDescriptor()
{
    static const int descriptor = [](){
        const char* text = std::getenv("STICTION_EVENTS");
        const int given = text && *text ? std::atoi(text) : -1;
        return given > 2 && fcntl(given, F_SETFD, FD_CLOEXEC) == 0 ? given : -1;
    }();
    return descriptor;
}


inline void sendEvent(const char* key, json_t* value)
{
    json_t* event = json_object();
    json_object_set_new(event, key, value);
    if(char* line = json_dumps(event, JSON_COMPACT)){
        const std::string text = std::string(line) + "\n";
        for(size_t sent = 0; sent < text.size();){
            const auto written =
                write(eventDescriptor(), text.data() + sent, text.size() - sent);
            if(written <= 0){
                break; // nobody reads it any more
            }
            sent += written;
        }
        free(line);
    }
    json_decref(event);
}


//! An event, or a line on the stream where nobody reads events.
inline void putBatchLine
(const char* key, std::ostream& stream, const std::string& prefix, const std::string& message)
{
    if(eventDescriptor() < 0){
        stream << "stiction: " << prefix << message << std::endl;
        return;
    }
    sendEvent(key, json_out_text(message.c_str()));
}

}

#endif
