#include "StictionItem.h"
#include "BodyFriction.h"
#include "JointVelocities.h"
#include "PostureControllers.h"
#include "Recording.h"
#include <results/results.h>
#include <cnoid/Archive>
#include <cnoid/BodyCustomizerInterface>
#include <cnoid/BodyItem>
#include <cnoid/Format>
#include <cnoid/ItemManager>
#include <cnoid/ItemTreeView>
#include <cnoid/MenuManager>
#include <cnoid/MessageView>
#include <cnoid/PutPropertyFunction>
#include <cnoid/SimulatorItem>
#include <cnoid/WorldItem>
#include <dlfcn.h>
#include <atomic>
#include <cstring>
#include <mutex>
#include "gettext.h"

using namespace std;
using namespace cnoid;

namespace {

struct ConfigDeleter
{
    void operator()(stiction_config* config) const { stiction_config_destroy(config); }
};
typedef shared_ptr<stiction_config> ConfigPtr;

//! Whether the customizer of this project works on the body already.
bool hasStictionCustomizer(Body* body)
{
    auto customizer = body->customizerInterface();
    Dl_info info;
    return customizer && dladdr(reinterpret_cast<void*>(customizer->create), &info) &&
        info.dli_fname && string(info.dli_fname).find("StictionCustomizer") != string::npos;
}

}

namespace cnoid {

class StictionItem::Impl
{
public:
    StictionItem* self;
    bool isEnabled = true;
    string configurationFile;
    Selection lawOverride;
    Selection coupling;
    bool isRecordingEnabled = true;
    unique_ptr<Collection> collection; // nullptr: nothing is collected
    vector<Override> overrides;
    vector<string> jointNames; // of the bodies of the simulation
    vector<string> warnings;
    vector<ControllerItem*> controllers;
    bool hasPostureController = false;
    mutable mutex errorMutex;
    vector<string> errors; // also of the simulation's thread
    atomic<double> simulatedTime{0.0};

    ConfigPtr config;
    SimulatorItem* simulatorItem = nullptr;
    vector<unique_ptr<BodyFriction>> frictions;
    JointVelocities velocities;
    Recording recording;
    mutex reloadMutex;
    ConfigPtr reloadedConfig;

    Impl(StictionItem* self);
    Impl(StictionItem* self, const Impl& org);
    void initializeSelections();
    ConfigPtr loadConfiguration();
    bool overrideValues(stiction_config* config);
    bool succeeds(stiction_status status, stiction_errors* errors);
    void put(BodyFriction::Severity severity, const string& message);
    bool isTarget(Body* body) const;
    void addBody(Body* body);
    void addFrictions();
    string frictionSourceOf(Body* body) const;
    vector<const BodyFriction*> allFrictions() const;
    void warnOfAbsence();
    void takeControllerErrors();
    bool initializeSimulation(SimulatorItem* simulatorItem);
    void step();
};

}


void StictionItem::initializeClass(ExtensionManager* ext)
{
    auto& im = ext->itemManager();
    im.registerClass<StictionItem, SubSimulatorItem>(N_("StictionItem"));
    im.addCreationPanel<StictionItem>();

    ItemTreeView::customizeContextMenu<StictionItem>(
        [](StictionItem* item, MenuManager& menuManager, ItemFunctionDispatcher menuFunction){
            menuManager.setPath("/");
            menuManager.addItem(_("Reload the friction configuration"))->sigTriggered().connect(
                [item](){ item->reloadConfiguration(); });
            menuManager.addSeparator();
            menuFunction.dispatchAs<Item>(item);
        });
}


StictionItem::StictionItem()
{
    impl = make_unique<Impl>(this);
}


StictionItem::StictionItem(const StictionItem& org)
    : SubSimulatorItem(org)
{
    impl = make_unique<Impl>(this, *org.impl);
}


StictionItem::~StictionItem()
{

}


Item* StictionItem::doCloneItem(CloneMap* /* cloneMap */) const
{
    return new StictionItem(*this);
}


StictionItem::Impl::Impl(StictionItem* self)
    : self(self)
{
    initializeSelections();
}


StictionItem::Impl::Impl(StictionItem* self, const Impl& org)
    : self(self),
      isEnabled(org.isEnabled),
      configurationFile(org.configurationFile),
      isRecordingEnabled(org.isRecordingEnabled)
{
    initializeSelections();
    lawOverride.select(org.lawOverride.which());
    coupling.select(org.coupling.which());
}


void StictionItem::Impl::initializeSelections()
{
    // The laws are the library's: one that is added there appears here.
    lawOverride.setDomain(CNOID_GETTEXT_DOMAIN_NAME);
    lawOverride << N_("as configured");
    stiction_law_info law;
    for(size_t i = 0; stiction_law_info_at(i, &law); ++i){
        lawOverride << law.name;
    }
    lawOverride.select(0);
    coupling.setDomain(CNOID_GETTEXT_DOMAIN_NAME);
    coupling << N_("explicit");
    coupling.select(0);
}


void StictionItem::Impl::put(BodyFriction::Severity severity, const string& message)
{
    static const int types[] = { MessageView::Normal, MessageView::Warning, MessageView::Error };
    if(severity == BodyFriction::Severity::Error){
        lock_guard<mutex> lock(errorMutex);
        errors.push_back(message);
    } else if(severity == BodyFriction::Severity::Warning){
        warnings.push_back(message);
    }
    MessageView::instance()->putln(
        formatR("{0}: {1}", self->displayName(), message), types[static_cast<int>(severity)]);
}


bool StictionItem::isEnabled()
{
    return impl->isEnabled;
}


bool StictionItem::setEnabled(bool on)
{
    impl->isEnabled = on;
    return true;
}


bool StictionItem::setConfigurationFile(const string& filename)
{
    impl->configurationFile = filename;
    return filename.empty() || impl->loadConfiguration() != nullptr;
}


const string& StictionItem::configurationFile() const
{
    return impl->configurationFile;
}


bool StictionItem::setLawOverride(const string& law)
{
    return law.empty() ? impl->lawOverride.select(0) : impl->lawOverride.select(law);
}


void StictionItem::setRecordingEnabled(bool on)
{
    impl->isRecordingEnabled = on;
}


void StictionItem::setOverrides(const vector<Override>& overrides)
{
    impl->overrides = overrides;
}


void StictionItem::collectResults(const Collection& collection)
{
    impl->collection = make_unique<Collection>(collection);
}


const vector<unique_ptr<BodyFriction>>& StictionItem::frictions() const
{
    return impl->frictions;
}


const vector<ControllerItem*>& StictionItem::controllers() const
{
    return impl->controllers;
}


bool StictionItem::hasPostureController() const
{
    return impl->hasPostureController;
}


const vector<string>& StictionItem::warnings() const
{
    return impl->warnings;
}


results* StictionItem::takeResults(bool isComplete, const vector<string>& warnings)
{
    return impl->recording.takeResults(isComplete, warnings);
}


double StictionItem::simulatedTime() const
{
    return impl->simulatedTime;
}


vector<string> StictionItem::errors() const
{
    lock_guard<mutex> lock(impl->errorMutex);
    return impl->errors;
}


//! \return false, with every mistake in the message view, unless the status is OK
bool StictionItem::Impl::succeeds(stiction_status status, stiction_errors* errors)
{
    for(size_t i = 0; i < stiction_errors_count(errors); ++i){
        char text[1700];
        stiction_error_format(stiction_errors_at(errors, i), text, sizeof text);
        put(BodyFriction::Severity::Error, text);
    }
    stiction_errors_destroy(errors);
    return status == STICTION_OK;
}


//! The law of the item and the values of a batch run, once the joints that they may mean are known.
bool StictionItem::Impl::overrideValues(stiction_config* config)
{
    vector<stiction_override> all;
    if(lawOverride.which() > 0){
        all.push_back({ "law", lawOverride.selectedSymbol() });
    }
    for(auto& value : overrides){
        all.push_back({ value.first.c_str(), value.second.c_str() });
    }
    vector<const char*> names;
    for(auto& name : jointNames){
        names.push_back(name.c_str());
    }
    auto errors = stiction_errors_create();
    return succeeds(
        stiction_config_override(
            config, all.data(), all.size(), names.data(), names.size(), errors), errors);
}


//! \return nullptr, with every mistake of the file in the message view, if it cannot be used
ConfigPtr StictionItem::Impl::loadConfiguration()
{
    stiction_config* loaded = nullptr;
    auto errors = stiction_errors_create();
    if(!succeeds(stiction_config_load(configurationFile.c_str(), &loaded, errors), errors)){
        return nullptr;
    }
    ConfigPtr config(loaded, ConfigDeleter());
    return jointNames.empty() || overrideValues(loaded) ? config : nullptr;
}


bool StictionItem::reloadConfiguration()
{
    auto reloaded = impl->loadConfiguration();
    if(reloaded){
        lock_guard<mutex> lock(impl->reloadMutex);
        impl->reloadedConfig = reloaded;
    }
    return reloaded != nullptr;
}


bool StictionItem::Impl::isTarget(Body* body) const
{
    vector<const char*> names;
    for(auto& joint : body->joints()){
        names.push_back(joint->jointName().c_str());
    }
    return stiction_config_is_for(
        config.get(), body->modelName().c_str(), names.data(), names.size());
}


//! Who gives a body its friction already; empty: nobody.
string StictionItem::Impl::frictionSourceOf(Body* body) const
{
    if(hasStictionCustomizer(body)){
        return "StictionCustomizer";
    }
    for(auto& item : simulatorItem->descendantItems<StictionItem>()){
        for(auto& friction : item->frictions()){
            if(friction->body() == body){
                return item->displayName();
            }
        }
    }
    return string();
}


void StictionItem::Impl::addBody(Body* body)
{
    const string source = frictionSourceOf(body);
    if(!source.empty()){
        put(BodyFriction::Severity::Error,
            formatR(_("{0} gets its friction from {1} already; it is not applied twice."),
                    body->name(), source));
        return;
    }
    auto friction = BodyFriction::create(
        body, config.get(), simulatorItem->worldTimeStep(),
        [this](BodyFriction::Severity severity, const string& message){ put(severity, message); });
    if(friction){
        frictions.push_back(move(friction));
    }
}


bool StictionItem::initializeSimulation(SimulatorItem* simulatorItem)
{
    return impl->initializeSimulation(simulatorItem);
}


void StictionItem::Impl::addFrictions()
{
    bool isAnyBodyMeant = false;
    for(auto& simBody : simulatorItem->simulationBodies()){
        if(isTarget(simBody->body())){
            isAnyBodyMeant = true;
            addBody(simBody->body());
        }
    }
    if(!isAnyBodyMeant){
        put(BodyFriction::Severity::Error,
            formatR(_("No body of this simulation is a model of {0}."), configurationFile));
    }
}


//! Of all items of the simulator that have started.
vector<const BodyFriction*> StictionItem::Impl::allFrictions() const
{
    vector<const BodyFriction*> all;
    for(auto& item : simulatorItem->descendantItems<StictionItem>()){
        for(auto& friction : item->frictions()){
            all.push_back(friction.get());
        }
    }
    return all;
}


//! Choreonoid goes on without a controller that refuses its options; a batch run does not.
void StictionItem::Impl::takeControllerErrors()
{
    for(auto& item : simulatorItem->worldItem()->descendantItems<ControllerItem>()){
        auto controller = postureController(item);
        if(controller && !controller->refusal().empty()){
            put(BodyFriction::Severity::Error,
                formatR("controller '{0}': {1}", item->name(), controller->refusal()));
        }
    }
}


//! A batch run in which no joint has friction must not look like one with it.
void StictionItem::Impl::warnOfAbsence()
{
    const auto all = allFrictions();
    bool hasJoints = false;
    for(auto friction : all){
        for(int i = 0; i < friction->numJoints(); ++i){
            hasJoints = true;
            if(strcmp(friction->jointDef(i).law, "none") != 0){
                return;
            }
        }
    }
    for(auto& simBody : simulatorItem->simulationBodies()){
        if(hasStictionCustomizer(simBody->body())){
            put(BodyFriction::Severity::Warning,
                formatR("the friction of {0} is StictionCustomizer's, which the results do not show",
                        simBody->body()->name()));
            return;
        }
    }
    string why = collection->absence;
    if(why.empty()){
        why = !errors.empty() ? "it is not as configured, see the messages" :
            configurationFile.empty() ?
            formatR("the StictionItem '{0}' has no configuration file", self->name()) :
            hasJoints ? "the law of every joint is none" : "no joint is driven by effort";
    }
    put(BodyFriction::Severity::Warning, "no joint has friction: " + why);
}


bool StictionItem::Impl::initializeSimulation(SimulatorItem* simulatorItem)
{
    this->simulatorItem = simulatorItem;
    frictions.clear();
    reloadedConfig.reset();
    errors.clear();
    simulatedTime = 0.0;
    config.reset();
    warnings.clear();
    jointNames.clear();
    for(auto& simBody : simulatorItem->simulationBodies()){
        for(auto& joint : simBody->body()->joints()){
            jointNames.push_back(joint->jointName());
        }
    }
    if(isEnabled && !configurationFile.empty()){
        config = loadConfiguration();
    }
    if(config){
        addFrictions();
    }
    if(collection){
        takeControllerErrors();
        warnOfAbsence();
    }
    hasPostureController = false;
    for(auto& simBody : simulatorItem->simulationBodies()){
        for(auto controller : postureControllers(simBody)){
            hasPostureController = true;
            controller->setGravity(simulatorItem->getGravity());
        }
    }
    recording.start(
        self, simulatorItem, frictions, isRecordingEnabled, allFrictions(), collection.get());
    velocities.start(
        simulatorItem,
        [this](BodyFriction::Severity severity, const string& message){ put(severity, message); });
    simulatorItem->addPreDynamicsFunction([this](){ velocities.update(); });
    simulatorItem->addMidDynamicsFunction([this](){ step(); });

    // An error is shown, and the simulation goes on without that friction.
    return true;
}


void StictionItem::Impl::step()
{
    ConfigPtr reloaded;
    if(reloadMutex.try_lock()){
        reloaded = move(reloadedConfig);
        reloadedConfig.reset();
        reloadMutex.unlock();
    }
    for(auto& friction : frictions){
        if(reloaded && friction->reconfigure(reloaded.get())){
            put(BodyFriction::Severity::Information,
                formatR(_("The friction of {0} was reloaded."), friction->body()->name()));
        }
        friction->step();
    }
    simulatedTime = simulatorItem->currentTime();
    recording.add(simulatedTime, frictions);
}


void StictionItem::finalizeSimulation()
{
    impl->controllers = activeControllers(impl->simulatorItem);
    impl->recording.finish();
    impl->velocities.finish();
    impl->frictions.clear();
}


void StictionItem::doPutProperties(PutPropertyFunction& putProperty)
{
    SubSimulatorItem::doPutProperties(putProperty);
    FilePathProperty file(
        impl->configurationFile, { _("Friction configuration (*.yaml *.yml)") });
    putProperty(_("Configuration file"), file,
                [this](const string& filename){ return setConfigurationFile(filename); });
    putProperty(_("Reload"), false,
                [this](bool on){ if(on) reloadConfiguration(); return false; });
    putProperty(_("Law"), impl->lawOverride, changeProperty(impl->lawOverride));
    putProperty(_("Coupling"), impl->coupling, changeProperty(impl->coupling));
    putProperty(_("Record"), impl->isRecordingEnabled, changeProperty(impl->isRecordingEnabled));
}


bool StictionItem::store(Archive& archive)
{
    SubSimulatorItem::store(archive);
    archive.writeRelocatablePath("configuration_file", impl->configurationFile);
    if(impl->lawOverride.which() > 0){
        archive.write("law", impl->lawOverride.selectedSymbol());
    }
    archive.write("coupling", impl->coupling.selectedSymbol());
    archive.write("record", impl->isRecordingEnabled);
    return true;
}


bool StictionItem::restore(const Archive& archive)
{
    SubSimulatorItem::restore(archive);
    archive.readRelocatablePath("configuration_file", impl->configurationFile);
    string symbol;
    if(archive.read("law", symbol) && !setLawOverride(symbol)){
        impl->put(BodyFriction::Severity::Error, formatR(_("There is no law '{0}'."), symbol));
        return false;
    }
    if(archive.read("coupling", symbol) && !impl->coupling.select(symbol)){
        impl->put(BodyFriction::Severity::Error, formatR(_("There is no coupling '{0}'."), symbol));
        return false;
    }
    archive.read("record", impl->isRecordingEnabled);
    return true;
}
