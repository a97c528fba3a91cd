#include "Batch.h"
#include "StictionItem.h"
#include <results.h>
#include <cnoid/App>
#include <cnoid/Format>
#include <cnoid/ItemList>
#include <cnoid/LazyCaller>
#ifdef STICTION_HAS_CLI11
#include <cnoid/OptionManager>
#endif
#include <cnoid/RootItem>
#include <cnoid/SimulatorItem>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

using namespace std;
using namespace cnoid;

namespace {

class Batch
{
public:
    string folder;
    double seconds = 0.0;
    int repetitions = 1; // of each simulator item, for soak tests

    void start();

private:
    ItemList<SimulatorItem> simulators;
    size_t next = 0;
    int repetition = 0;
    bool hasFailed = false;
    ScopedConnection connection;
    StictionItemPtr item;

    void runNext();
    void onFinished(SimulatorItem* simulator);
    void fail(const string& sentence);
    void end();
};

Batch* batch = nullptr;

//! A name as a folder: what file systems dislike becomes an underscore.
string folderName(const string& name)
{
    string result = name.empty() ? "simulator" : name;
    replace_if(result.begin(), result.end(),
               [](unsigned char c){ return c < 0x20 || c == '/' || c == '\\' || c == ':'; }, '_');
    return result;
}

}


void Batch::fail(const string& sentence)
{
    cerr << "stiction: " << sentence << endl;
    hasFailed = true;
}


void Batch::start()
{
    simulators = RootItem::instance()->descendantItems<SimulatorItem>();
    if(simulators.empty()){
        fail("the project has no simulator item");
    }
    runNext();
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
    auto items = simulator->descendantItems<StictionItem>();
    item = items.empty() ? nullptr : items.front();
    if(!item){
        // an item without a configuration only watches
        item = new StictionItem;
        item->setName("Recorder");
        simulator->addChildItem(item);
    }
    item->setResultCollectionEnabled(true);
    if(seconds > 0.0){
        simulator->setTimeRangeMode(SimulatorItem::SpecifiedTime);
        simulator->setTimeLength(seconds);
    }
    simulator->setRealtimeSyncMode(SimulatorItem::NonRealtimeSync);
    connection = simulator->sigSimulationFinished().connect(
        [this, simulator](bool){ callLater([this, simulator](){ onFinished(simulator); }); });
    cout << "stiction: simulating with " << simulator->name() << " ..." << endl;
    if(!simulator->startSimulation()){
        fail(formatR("{0} did not start", simulator->name()));
        connection.disconnect();
        callLater([this](){ runNext(); });
    }
}


void Batch::onFinished(SimulatorItem* simulator)
{
    connection.disconnect();
    const int run = repetition == 0 ? repetitions : repetition;
    string path = formatR("{0}/{1}", folder, folderName(simulator->name()));
    if(run > 1){
        path += formatR("-{0}", run);
    }
    error_code code;
    filesystem::create_directories(path, code);
    results* collected = item->takeResults();
    stiction_error error;
    if(code || !collected){
        fail(code ? formatR("cannot make {0}: {1}", path, code.message())
                  : formatR("nothing was recorded with {0}", simulator->name()));
    } else if(results_write(collected, path.c_str(), &error) != STICTION_OK){
        fail(error.message);
    } else {
        cout << "stiction: wrote " << path << "/summary.json" << endl;
    }
    if(item->hasFailed()){
        fail(formatR("friction was not as configured with {0}, see above", simulator->name()));
    }
    results_destroy(collected);
    runNext();
}


void Batch::end()
{
    App::exit(hasFailed ? 1 : 0);
}


//! STICTION_BATCH and STICTION_TIME say what the options below say; STICTION_REPEAT is for tests.
static void readEnvironment()
{
    if(const char* folder = getenv("STICTION_BATCH")){
        batch->folder = folder;
    }
    if(const char* seconds = getenv("STICTION_TIME")){
        batch->seconds = atof(seconds);
    }
    if(const char* repetitions = getenv("STICTION_REPEAT")){
        batch->repetitions = max(1, atoi(repetitions));
    }
}


void cnoid::initializeStictionBatch()
{
    batch = new Batch;
    readEnvironment();
#ifdef STICTION_HAS_CLI11
    auto om = OptionManager::instance();
    om->add_option("--stiction-batch", batch->folder,
                   "run every simulator item, write results into this folder, and end");
    om->add_option("--stiction-time", batch->seconds,
                   "simulated seconds of a batch run, instead of the project's");
#endif
    // By then the options are parsed and the project of the command line is loaded.
    App::sigExecutionStarted().connect(
        [](){ if(!batch->folder.empty()) callLater([](){ batch->start(); }); });
}
