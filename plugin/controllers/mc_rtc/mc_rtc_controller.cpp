/* SPDX-License-Identifier: MIT
 * The bridge to mc_rtc as a library that every host loads: options, messages, records and figures.
 * mc_rtc's loggers and loaders are global; the library is therefore never unloaded.
 */
#include "bridge.h"

#include <controllers/compensation/compensation.h>
#include <mc_rtc/logging.h>
#include <spdlog/sinks/base_sink.h>
#include <stiction/load.h>

#include <dlfcn.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using bridge::Bridge;
using bridge::Failure;
using bridge::Mode;

using CompensationPointer = std::unique_ptr<compensation, decltype(&compensation_destroy)>;

/* Folders of log files. Choreonoid copies a log into the results after its controller has ended, so
 * these go when the next controller begins, or with the program. */
struct Folders {
    std::mutex mutex;
    std::vector<fs::path> all;

    void add(const fs::path &folder) {
        const std::lock_guard<std::mutex> lock(mutex);
        all.push_back(folder);
    }
    void remove() {
        const std::lock_guard<std::mutex> lock(mutex);
        std::error_code unused;
        for (const auto &folder : all) fs::remove_all(folder, unused);
        all.clear();
    }
};

/* Runs in Choreonoid without a window leave by quick_exit, which runs no destructors. */
Folders &ended() {
    static Folders *folders = [] {
        std::atexit([] { ended().remove(); });
        std::at_quick_exit([] { ended().remove(); });
        return new Folders;
    }();
    return *folders;
}

struct Controller {
    stiction_log log = nullptr;
    void *logUser = nullptr;
    bool isVerbose = false, isTimed = false;
    std::string lastError;
    fs::path logFolder;
    std::unique_ptr<Bridge> bridge;
    CompensationPointer friction{nullptr, compensation_destroy};
    std::vector<double> added, seconds;
    std::vector<const char *> records;
    std::string description, file;
    double period = 0;
    double stepTime = 0; /* s: of all steps, mc_rtc's own part included */
    bool wasTorque = false, wasPosition = false;

    ~Controller() {
        bridge.reset();
        if (!logFolder.empty()) ended().add(logFolder);
    }
};

/* ---- messages of mc_rtc ---- */

/* mc_rtc logs in a thread of its own; the messages wait here for the end of a call. */
struct Messages {
    struct Line {
        bool isWarning, isError;
        std::string text;
    };
    std::mutex mutex;
    std::condition_variable isFlushed;
    int flushed = 0;
    std::vector<Line> lines;
};

Messages &messages() {
    static Messages all;
    return all;
}

class Sink : public spdlog::sinks::base_sink<std::mutex> {
  protected:
    void sink_it_(const spdlog::details::log_msg &message) override {
        const std::string text(message.payload.data(), message.payload.size());
        if (text.rfind("=== Backtrace", 0) == 0) return;
        const std::lock_guard<std::mutex> lock(messages().mutex);
        messages().lines.push_back(
            {message.level >= spdlog::level::warn, message.level >= spdlog::level::err, text});
    }
    void flush_() override {
        const std::lock_guard<std::mutex> lock(messages().mutex);
        messages().flushed++;
        messages().isFlushed.notify_all();
    }
};

void takeMessages() {
    static std::once_flag once;
    std::call_once(once, [] {
        const auto sink = std::make_shared<Sink>();
        for (auto logger : {&mc_rtc::log::details::success(), &mc_rtc::log::details::info(),
                            &mc_rtc::log::details::cerr()})
            logger->sinks() = {sink};
        mc_rtc::log::details::disable_notifications();
    });
}

/* Until the thread has written all that was logged so far. */
void settleMessages() {
    std::unique_lock<std::mutex> lock(messages().mutex);
    messages().flushed = 0;
    lock.unlock();
    mc_rtc::log::details::cerr().flush();
    lock.lock();
    messages().isFlushed.wait_for(lock, std::chrono::seconds(1),
                                  [] { return messages().flushed > 0; });
}

void passMessages(Controller *c) {
    std::vector<Messages::Line> lines;
    {
        const std::lock_guard<std::mutex> lock(messages().mutex);
        lines.swap(messages().lines);
    }
    for (const auto &line : lines) {
        if (line.isError) c->lastError = line.text;
        if (c->log && (c->isVerbose || line.isWarning))
            c->log(c->logUser, line.isWarning ? STICTION_LOG_WARNING : STICTION_LOG_INFO,
                   line.text.c_str());
    }
}

/* A call of mc_rtc; what it throws becomes the error. */
template <typename Call> stiction_status guarded(Controller *c, stiction_error *error, Call call) {
    std::string why;
    try {
        call();
        passMessages(c);
        return STICTION_OK;
    } catch (const bridge::ControllerFailed &) {
        settleMessages();
        passMessages(c);
        why = "its controller failed: " +
              (c->lastError.empty() ? "it gave no reason (its QP has no solution?)" : c->lastError);
    } catch (const std::exception &problem) {
        why = problem.what();
    } catch (...) {
        why = "mc_rtc threw something that is not an exception of the standard library";
    }
    settleMessages();
    passMessages(c);
    if (error) std::snprintf(error->message, sizeof error->message, "%.900s", why.c_str());
    return STICTION_INVALID_CONFIG;
}

/* ---- options ---- */

std::string beside(const char *directory, const std::string &path) {
    return fs::path(path).is_absolute() || !*directory ? path
                                                       : (fs::path(directory) / path).string();
}

void setOption(Controller &c, bridge::Options &o, const char *directory, const std::string &key,
               const std::string &value) {
    if (key == "config")
        o.config = beside(directory, value);
    else if (key == "gains")
        o.gains = beside(directory, value);
    else if (key == "friction")
        o.friction = beside(directory, value);
    else if (key == "controller")
        o.controller = value;
    else if (key == "mode" && (value == "auto" || value == "position" || value == "torque"))
        o.mode = value == "auto" ? Mode::Auto : value == "torque" ? Mode::Torque : Mode::Position;
    else if (key == "compensation" && (value == "none" || value == "desired"))
        o.compensates = value == "desired";
    else if (key == "compensation_share") {
        char *end;
        o.share = std::strtod(value.c_str(), &end);
        if (*end || !(o.share >= 0 && o.share <= STICTION_MOST_SHARE))
            throw Failure("option compensation_share: must be a number from 0 to 2, not '" + value +
                          "'");
    } else if (key == "verbose")
        c.isVerbose = value == "1";
    else if (key == "times")
        c.isTimed = value == "1";
    else
        throw Failure("option '" + key + "=" + value +
                      "' is unknown; there are config=FILE, controller=NAME, gains=FILE, "
                      "mode=auto|position|torque, "
                      "friction=FILE, compensation=none|desired, compensation_share=S, "
                      "verbose=0|1 and times=0|1");
}

/* Files of the first line are relative to the project, those of the others to the working
 * directory. */
bridge::Options readOptions(Controller &c, const stiction_controller_setup &setup) {
    bridge::Options o;
    std::istringstream lines(setup.options);
    const char *directory = setup.directory;
    for (std::string line; std::getline(lines, line); directory = "") {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            const auto equals = word.find('=');
            setOption(c, o, directory, word.substr(0, equals),
                      equals == std::string::npos ? "" : word.substr(equals + 1));
        }
    }
    if (!o.config.empty() && !fs::exists(o.config))
        throw Failure("option config: there is no file '" + o.config + "'");
    if (o.compensates && o.friction.empty())
        throw Failure("option compensation: 'desired' needs friction=FILE");
    return o;
}

void makeCompensation(Controller &c, const bridge::Options &o,
                      const stiction_controller_setup &setup) {
    std::vector<const char *> names;
    for (size_t k = 0; k < setup.joint_count; k++) names.push_back(setup.joints[k].name);
    compensation_def def = {};
    def.path = o.friction.c_str();
    def.joints = names.data();
    def.count = names.size();
    def.share = o.share;
    def.edge = stiction_compensation_default().edge;
    def.reach = 0.02;
    compensation *made = nullptr;
    stiction_error error;
    if (compensation_create(&def, &made, &error) != STICTION_OK) {
        char text[1700];
        stiction_error_format(&error, text, sizeof text);
        throw Failure(text);
    }
    c.friction.reset(made);
    c.added.assign(setup.joint_count, 0);
    for (size_t k = 0; k < setup.joint_count; k++)
        c.records.push_back(compensation_record_names(made)[k]);
}

std::string ownFolder() {
    Dl_info info;
    const bool isKnown = dladdr(reinterpret_cast<void *>(&ownFolder), &info) && info.dli_fname;
    return isKnown ? (fs::absolute(info.dli_fname).parent_path() / "mc_rtc_controllers").string()
                   : "";
}

/* ---- the table ---- */

constexpr const char *recordNames[] = {"com_x",       "com_y",       "com_z",    "reference_x",
                                       "reference_y", "reference_z", "com_error"};
constexpr size_t recordCount = sizeof recordNames / sizeof recordNames[0];

stiction_status create(const stiction_controller_setup *setup, stiction_controller_needs *needs,
                       void **self, stiction_error *error) {
    ended().remove();
    auto made = std::make_unique<Controller>();
    Controller &c = *made;
    c.log = setup->log;
    c.logUser = setup->log_user;
    takeMessages();
    const stiction_status status = guarded(&c, error, [&] {
        bridge::Options options = readOptions(c, *setup);
        std::string folder = (fs::temp_directory_path() / "stiction-mc_rtc-XXXXXX").string();
        if (!mkdtemp(folder.data())) throw Failure("no folder for mc_rtc's log: " + folder);
        c.logFolder = options.logFolder = folder;
        options.ownControllers = ownFolder();
        c.bridge = std::make_unique<Bridge>(options, *setup);
        c.description = c.bridge->describe();
        c.period = c.bridge->period();
        c.records.assign(recordNames, recordNames + recordCount);
        if (options.compensates) makeCompensation(c, options, *setup);
        if (setup->timestep > c.period * (1 + 1e-9))
            throw Failure("mc_rtc's time step of " + std::to_string(c.period) +
                          " s is shorter than that of the simulation");
    });
    if (status != STICTION_OK) return status;
    needs->control_period = c.period;
    needs->motion_count = c.bridge->motions.size();
    needs->motions = c.bridge->motions.data();
    needs->start_joints = c.bridge->startJoints.data();
    if (setup->floating) needs->start_base = c.bridge->startBase.data();
    needs->record_count = c.records.size();
    needs->records = c.records.data();
    *self = made.release();
    return STICTION_OK;
}

/* Adds friction at the velocities that mc_rtc asks for. */
void compensate(Controller &c, const stiction_controller_input &in,
                stiction_controller_output &out) {
    compensation_input desired = {};
    stiction_error error;
    desired.dt = c.period;
    desired.q = in.q;
    desired.velocity = c.bridge->desired.data();
    desired.motor = desired.external = in.effort;
    if (compensation_step(c.friction.get(), &desired, c.added.data(), &error) != STICTION_OK)
        throw Failure(error.message);
    for (size_t k = 0; k < in.joint_count; k++) {
        out.torque[k] += c.added[k];
        out.records[recordCount + k] = c.added[k];
    }
}

stiction_status step(void *self, const stiction_controller_input *in,
                     stiction_controller_output *out, stiction_error *error) {
    Controller &c = *static_cast<Controller *>(self);
    const double begun = bridge::processorTime();
    const stiction_status status = guarded(&c, error, [&] {
        c.bridge->step(*in, *out);
        if (c.friction) compensate(c, *in, *out);
    });
    if (status != STICTION_OK) return status;
    const Bridge &b = *c.bridge;
    for (int k = 0; k < 3; k++) {
        out->records[k] = b.com[k];
        out->records[3 + k] = b.reference[k];
    }
    out->records[6] = b.error;
    (b.isTorque ? c.wasTorque : c.wasPosition) = true;
    c.stepTime += bridge::processorTime() - begun;
    return STICTION_OK;
}

void destroy(void *self) {
    auto *c = static_cast<Controller *>(self);
    (void)guarded(c, nullptr, [&] { c->bridge.reset(); });
    delete c;
}

void reset(void *self) {
    auto *c = static_cast<Controller *>(self);
    /* a failure shows in the next step, which mc_rtc then refuses */
    (void)guarded(c, nullptr, [&] { c->bridge->reset(); });
    if (c->friction) compensation_reset(c->friction.get());
    c->wasTorque = c->wasPosition = false;
    c->stepTime = 0;
}

int note(void *self, size_t index, stiction_controller_note *note) {
    auto *c = static_cast<Controller *>(self);
    if (index == 0) (void)guarded(c, nullptr, [&] { c->file = c->bridge->logFile(); });
    const Bridge &b = *c->bridge;
    const double steps = b.steps ? double(b.steps) : std::nan("");
    const char *mode = c->wasTorque && c->wasPosition ? "both"
                       : c->wasTorque                 ? "torque"
                                                      : "position";
    const stiction_controller_note notes[] = {
        {"mc_rtc", c->description.c_str(), 0},
        {"mode", mode, 0},
        {"com_error_rms", nullptr, std::sqrt(b.squares / steps)},
        {"com_error_max", nullptr, b.largest},
        {"results_file", c->file.c_str(), 0},
        {"mc_rtc_ms", nullptr, 1e3 * b.runTime / steps},
        {"bridge_ms", nullptr, 1e3 * (c->stepTime - b.runTime) / steps},
    };
    const size_t count = sizeof notes / sizeof notes[0] - (c->isTimed ? 0 : 2);
    if (index >= count) return 0;
    *note = notes[index];
    return 1;
}

stiction_controller_api makeTable() {
    stiction_controller_api table = {};
    table.abi = STICTION_CONTROLLER_ABI;
    table.size = sizeof table;
    table.create = create;
    table.step = step;
    table.destroy = destroy;
    table.reset = reset;
    table.note = note;
    return table;
}

} // namespace

STICTION_CONTROLLER = makeTable();
