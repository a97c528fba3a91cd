/* SPDX-License-Identifier: MIT */
#include "Batch.h"
#include "BatchControllers.h"
#include "BatchEvents.h"
#include "BatchOverrides.h"
#include "LostItems.h"
#include "HostedControllers.h"
#include "StictionItem.h"
#include <results/results.h>
#include <cnoid/App>
#include <cnoid/Config>
#include <cnoid/Format>
#include <cnoid/GettextUtil>
#include <cnoid/ItemList>
#include <cnoid/LazyCaller>
#include <cnoid/MessageView>
#include <cnoid/RootItem>
#include <cnoid/SimulatorItem>
#include <cnoid/Timer>
#include <cnoid/WorldItem>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>

using namespace std;
using namespace cnoid;

namespace {

// Far more than a thread with nothing left to do takes to end.
constexpr int threadEndMilliseconds = 200;

class Batch
{
public:
    string folder;
    double seconds = 0.0; // 0: that of the project

    //! Called with every message of Choreonoid.
    void listen(const string& message);

    void start();
    //! Of the program.
    int exitCode() const;

private:
    BatchOverrides overrides;
    int repetitions = 1; // of each simulator item, for soak tests
    vector<SimulatorItem*> simulators;
    map<SimulatorItem*, string> lostItems; // messages about them
    size_t next = 0;
    int repetition = 0;
    bool hasFailed = false;
    string loadError; // the first that Choreonoid reported while it loaded the project
    vector<string> idlePushes; // messages about those that do not act
    // of the simulation that was started last
    bool isOver = false;
    bool isRefused = false; // it is not the one that was asked for: nothing is written
    ScopedConnection connection;
    ItemList<StictionItem> items; // that act; the last one collects
    StictionItemPtr added;        // of the batch's own, where the project has none that acts
    Timer progressTimer;

    void findSimulators();
    void runNext();
    void prepare(SimulatorItem* simulator);
    bool run(SimulatorItem* simulator);
    string findIdleController(SimulatorItem* simulator);
    bool refuses(SimulatorItem* simulator);
    void showProgress();
    void onFinished();
    void write(SimulatorItem* simulator, bool isComplete);
    void addItem(SimulatorItem* simulator, const char* name);
    void removeAddedItem();
    void fail(const string& message);
    void end();
};

Batch* batch = nullptr;

/**
   Takes our options out of the program's arguments, which glibc gives to the constructors of a
   library. Choreonoid loads plugins before it parses them; its own interface for options needs the
   CLI11 header, which its SDK lacks.
*/
__attribute__((constructor)) void takeOptions(int argc, char** argv, char**)
{
    static const struct { string option; const char* variable; } ours[] = {
        { "--stiction-batch", "STICTION_BATCH" }, { "--stiction-time", "STICTION_TIME" }
    };
    static char noEffect[] = "--quit=false"; // an option of Choreonoid
    for(int k = 1; k < argc && argv[k]; ++k){
        for(auto& our : ours){
            const string argument = argv[k];
            if(argument.compare(0, our.option.size() + 1, our.option + "=") == 0){
                setenv(our.variable, argument.c_str() + our.option.size() + 1, 1);
                argv[k] = noEffect;
            } else if(argument == our.option && k + 1 < argc && argv[k + 1]){
                setenv(our.variable, argv[k + 1], 1);
                argv[k] = argv[k + 1] = noEffect;
            }
        }
    }
}

//! A name as a folder: what file systems dislike becomes an underscore.
string folderName(const string& name)
{
    string result = name.empty() ? "simulator" : name;
    replace_if(result.begin(), result.end(),
               [](unsigned char c){ return c < 0x20 || c == '/' || c == '\\' || c == ':'; }, '_');
    return result;
}

}


void Batch::fail(const string& message)
{
    putBatchLine("error", cerr, "error: ", message);
    hasFailed = true;
}


/**
   An error of Choreonoid while it loads is a warning: what of it matters, as a lost body, is found
   otherwise, and a lost view does not matter. One during a simulation fails the run.
*/
void Batch::listen(const string& message)
{
    // "\x1b[31mError:  ...\x1b[0m\n", in the user's language
    const string beginning =
        "\x1b[31m" + string(getText("CnoidBase-" CNOID_VERSION_STRING, "Error: "));
    if(message.compare(0, beginning.size(), beginning) != 0){
        return;
    }
    const size_t begin = message.find_first_not_of(' ', beginning.size());
    const string error = message.substr(begin, message.rfind("\x1b[0m") - begin);
    if(simulators.empty()){
        loadError = loadError.empty() ? error : loadError;
    } else {
        putBatchLine("choreonoid", cerr, "error: ", "Choreonoid says: " + error);
        hasFailed = true;
    }
}


void Batch::start()
{
    try {
        overrides.read();
    } catch(const BatchOverrides::Mistake& mistake){
        fail(mistake.what());
        end();
        return;
    }
    seconds = overrides.seconds;
    repetitions = overrides.repetitions;
    progressTimer.sigTimeout().connect([this](){ showProgress(); });
    findSimulators();
    // before controllers are replaced, which then are not lost
    for(auto simulator : simulators){
        lostItems[simulator] = findLostItem(simulator);
    }
    if(!overrides.controllers.empty()){
        const string mistake = replaceControllers(overrides.controllers);
        if(!mistake.empty()){
            fail(mistake);
            end();
            return;
        }
    }
    runNext();
}


void Batch::findSimulators()
{
    string names;
    for(auto& simulator : RootItem::instance()->descendantItems<SimulatorItem>()){
        names += (names.empty() ? "" : ", ") + simulator->name();
        if(overrides.simulator.empty() || overrides.simulator == simulator->name()){
            simulators.push_back(simulator);
        }
    }
    if(names.empty()){
        fail("the project has no simulator item");
    } else if(simulators.empty()){
        fail(formatR("STICTION_SIMULATOR: the project has no simulator item '{0}'; it has {1}",
                     overrides.simulator, names));
    }
}


void Batch::runNext()
{
    if(next == simulators.size()){
        end();
        return;
    }
    SimulatorItem* simulator = simulators[next];
    if(++repetition == repetitions){
        repetition = 0;
        ++next;
    }
    if(!run(simulator)){
        callLater([this](){ runNext(); });
    }
}


//! Prepares the simulator and its items for the batch, and applies overrides.
void Batch::prepare(SimulatorItem* simulator)
{
    const string& lost = lostItems[simulator];
    if(!lost.empty()){
        throw BatchOverrides::Mistake(lost);
    }
    StictionItem::Collection collection;
    collection.overrides = overrides.replaced;
    collection.interval = overrides.interval;
    collection.targets = overrides.targets;
    items.clear();
    auto candidates = simulator->descendantItems<StictionItem>();
    idlePushes.clear();
    for(auto& candidate : candidates){
        const auto pushes = candidate->pushes();
        candidate->setPushing(false); // the last one applies those of all
        if(candidate->isEnabled()){
            items.push_back(candidate);
            collection.pushes.insert(collection.pushes.end(), pushes.begin(), pushes.end());
        } else if(!pushes.empty()){
            idlePushes.push_back(
                formatR("the pushes of the StictionItem '{0}' do not act: it is not enabled",
                        candidate->name()));
        }
    }
    collection.pushes.insert(
        collection.pushes.end(), overrides.pushes.begin(), overrides.pushes.end());
    if(candidates.empty() && overrides.hasConfiguration()){
        addItem(simulator, "Stiction");
    }
    if(overrides.isFrictionless){
        collection.absence = "it was switched off (friction=none)";
        collection.frictionSource = "none";
    } else if(candidates.empty() && !added){
        collection.absence = formatR("the simulator '{0}' has no StictionItem", simulator->name());
    } else if(items.empty()){
        collection.absence =
            formatR("the StictionItem '{0}' is not enabled", candidates.front()->name());
    }
    overrides.apply(simulator, items);

    if(items.empty()){
        addItem(simulator, "Recorder"); // without a configuration it only watches
    }
    // the last one starts when all others have their friction
    items.back()->collectResults(collection);
    const double step = simulator->worldTimeStep();
    if(seconds > 0.0 && seconds < step * (1.0 - 1e-9)){
        throw BatchOverrides::Mistake(
            formatR("duration {0} s is shorter than a time step, {1} s", seconds, step));
    }
    if(seconds > 0.0){
        simulator->setTimeRangeMode(SimulatorItem::SpecifiedTime);
        simulator->setTimeLength(seconds);
    }
    simulator->setRealtimeSyncMode(SimulatorItem::NonRealtimeSync);
}


void Batch::addItem(SimulatorItem* simulator, const char* name)
{
    added = new StictionItem;
    added->setName(name);
    simulator->addChildItem(added);
    items.push_back(added);
}


void Batch::removeAddedItem()
{
    if(added){
        added->removeFromParentItem();
        added = nullptr;
    }
    items.clear();
}


/**
   Choreonoid continues without a controller that refuses its options; a batch run does not.
   \return an error message, or an empty string
*/
string Batch::findIdleController(SimulatorItem* simulator)
{
    const auto active = isOver ? items.back()->controllers() : activeControllers(simulator);
    for(auto& controller : simulator->worldItem()->descendantItems<SimpleControllerItem>()){
        const bool isSub = dynamic_cast<ControllerItem*>(controller->parentItem());
        if(!isSub && find(active.begin(), active.end(), controller.get()) == active.end()){
            return formatR("the controller {0} did not start, see above", controller->name());
        }
    }
    if(overrides.isControllerGiven && !items.back()->hasHostedController()){
        return "STICTION_CONTROLLER: no body has a StictionPostureController or StictionController";
    }
    return string();
}


//! Whether the simulation is not the one that was asked for, right after its start or at its end;
//! the message is given once.
bool Batch::refuses(SimulatorItem* simulator)
{
    string refusal;
    for(auto& item : items){
        const auto errors = item->errors();
        if(refusal.empty() && !errors.empty()){
            refusal = errors.front();
        }
    }
    if(refusal.empty()){
        refusal = findIdleController(simulator);
    }
    if(!refusal.empty() && !isRefused){
        fail(refusal);
        isRefused = true;
    }
    return isRefused;
}


//! \return false with a message if it does not run
bool Batch::run(SimulatorItem* simulator)
{
    try {
        prepare(simulator);
    } catch(const BatchOverrides::Mistake& mistake){
        fail(mistake.what());
        removeAddedItem();
        return false;
    }
    cout << "stiction: simulating with " << simulator->name() << " ..." << endl;
    // Before the start, during which a short simulation may end. The signal comes while the
    // simulation's thread is still ending, which nothing reports. To start or to exit at once would
    // find it running: Qt then aborts.
    isOver = false;
    isRefused = false;
    connection = simulator->sigSimulationFinished().connect(
        [this, simulator](bool isForced){
            isOver = true;
            // at once, since an interrupt ends the program when the signal returns
            if(!refuses(simulator)){
                const string failure = items.back()->controllerFailure();
                write(simulator, !isForced);
                if(!failure.empty()){
                    fail(failure);
                }
            }
            QTimer::singleShot(
                threadEndMilliseconds, [this](){ onFinished(); });
        });
    if(!simulator->startSimulation()){
        connection.disconnect();
        // of Choreonoid's errors, so that `stiction run` shows the first of them, which says why
        putBatchLine(
            "choreonoid", cerr, "error: ", formatR("{0} did not start", simulator->name()));
        hasFailed = true;
        removeAddedItem();
        return false;
    }
    if(refuses(simulator) && !isOver){
        simulator->stopSimulation(true);
    }
    showProgress();
    progressTimer.start(1000);
    return true;
}


//! At the start, each second of the clock, and at the end.
void Batch::showProgress()
{
    const double simulated = items.back()->simulatedTime();
    if(eventDescriptor() >= 0){
        sendEvent("progress", json_pack("[ff]", simulated, seconds));
    } else if(overrides.isProgressShown){
        cout << "stiction: progress " << simulated << " " << seconds << endl;
    }
}


void Batch::onFinished()
{
    connection.disconnect();
    progressTimer.stop();
    showProgress();
    removeAddedItem();
    runNext();
}


void Batch::write(SimulatorItem* simulator, bool isComplete)
{
    const int run = repetition == 0 ? repetitions : repetition;
    string path = formatR("{0}/{1}", folder, folderName(simulator->name()));
    if(run > 1){
        path += formatR("-{0}", run);
    }
    error_code code;
    filesystem::create_directories(path, code);
    vector<string> warnings;
    for(auto& item : RootItem::instance()->descendantItems<StictionItem>()){
        if(!item->findOwnerItem<SimulatorItem>()){
            warnings.push_back(
                formatR("StictionItem '{0}' is below no simulator item: it is not used",
                        item->name()));
            break;
        }
    }
    warnings.insert(warnings.end(), idlePushes.begin(), idlePushes.end());
    if(!loadError.empty()){
        warnings.push_back("Choreonoid says: " + loadError);
    }
    for(auto& item : items){
        const auto ofItem = item->warnings();
        warnings.insert(warnings.end(), ofItem.begin(), ofItem.end());
    }
    if(!isComplete && items.back()->controllerFailure().empty()){
        warnings.push_back(
            formatR("the run was interrupted at {0} s", items.back()->simulatedTime()));
    }
    for(auto& warning : warnings){
        putBatchLine("warning", cerr, "warning: ", warning);
    }
    results* collected = items.back()->takeResults(isComplete, warnings);
    stiction_error error;
    if(code || !collected){
        fail(code ? formatR("cannot make {0}: {1}", path, code.message())
                  : formatR("nothing was recorded with {0}", simulator->name()));
    } else if(results_write(collected, path.c_str(), &error) != STICTION_OK){
        fail(error.message);
    } else {
        cout << "stiction: wrote " << path << "/summary.json" << endl;
    }
    results_destroy(collected);
}


int Batch::exitCode() const
{
    return hasFailed ? 1 : 0;
}


void Batch::end()
{
    App::exit(hasFailed ? 1 : 0);
}


void cnoid::initializeStictionBatch()
{
    batch = new Batch;
    if(eventDescriptor() >= 0){
        sendEvent("plugin", json_string(stiction_version()));
    }
    if(const char* folder = getenv("STICTION_BATCH")){
        batch->folder = folder;
    }
    MessageView::instance()->sigMessage().connect(
        [](const string& message){ batch->listen(message); });
    // By then the options are parsed and the project of the command line is loaded.
    App::sigExecutionStarted().connect(
        [](){ if(!batch->folder.empty()) callLater([](){ batch->start(); }); });
}


void cnoid::finalizeStictionBatch()
{
    if(batch->folder.empty()){
        return;
    }
    // What is left to Choreonoid is to write the user's settings, which another batch run at the
    // same time would find half-written, and which nothing of this one belongs into.
    cout << flush;
    cerr << flush;
    quick_exit(batch->exitCode());
}
