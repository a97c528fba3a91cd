/* SPDX-License-Identifier: MIT */
#include "StictionItem.h"
#include "BodyFriction.h"
#include "ChoreonoidVersions.h"
#include "ControllerInputs.h"
#include "FloatingBodies.h"
#include "FrictionJoints.h"
#include "HostedControllers.h"
#include "JointVelocities.h"
#include "LinkPushes.h"
#include "Recording.h"
#include "SimulatorProperty.h"
#include <results/results.h>
#include <cnoid/Archive>
#include <cnoid/BodyItem>
#include <cnoid/Format>
#include <cnoid/ItemManager>
#include <cnoid/ItemTreeView>
#include <cnoid/MenuManager>
#include <cnoid/MessageView>
#include <cnoid/PutPropertyFunction>
#include <cnoid/SimulatorItem>
#include <cnoid/TimeBar>
#include <cnoid/WorldItem>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <typeinfo>
#include "gettext.h"

using namespace std;
using namespace cnoid;

namespace cnoid {

class StictionItem::Impl
{
public:
    StictionItem* self;
    const BodyFriction::Report report; // put()
    bool isEnabled = true;
    FrictionConfiguration configuration;
    Selection lawOverride;
    Selection coupling;
    bool isRecordingEnabled = true;
    unique_ptr<Collection> collection; // nullptr: nothing is collected
    vector<ControllerItem*> controllers;
    bool hasHostedController = false;
    mutable mutex messageMutex;
    vector<string> warnings, errors; // also of the simulation's thread
    atomic<double> simulatedTime{0.0};

    FrictionConfigPtr config; // with all that replaces values of the file; nullptr: not loaded
    bool isConfigLoaded = false; // or it was tried in vain
    SimulatorItem* simulatorItem = nullptr;
    bool isSimulating = false; // stays so after a start that failed
    bool isStopping = false; // see requestToStop()
    bool wasMisplaced = false; // and the user knows
    vector<unique_ptr<BodyFriction>> frictions;
    JointVelocities velocities;
    ValueNodePtr pushNodes; // of the project; nullptr: none
    bool isPushing = true;
    LinkPushes pushes;
    FloatingBodies floatingBodies; // for results
    ControllerInputs controllerInputs;
    Recording recording;
    mutex reloadMutex;
    FrictionConfigPtr reloadedConfig;
    atomic<bool> isStatusWanted{false};
    mutex statusMutex;
    vector<JointStatus> simulated; // as last asked for
    map<const Body*, string> bodyNames; // of the simulation
    ScopedConnection startConnection; // of the simulator item
    vector<pair<LinkPtr, int>> preparedJoints; // with their own actuation modes
    map<const Body*, FrictionJoints> passiveJoints; // of the bodies in the item tree

    Impl(StictionItem* self);
    Impl(StictionItem* self, const Impl& org);
    void initializeSelections();
    void prepareBodies();
    void restoreBodies();
    bool isRunning() const;
    void tellOfNextStart(const char* property);
    void tellOfPlace();
    vector<Body*> findBodies();
    vector<string> findJointNames();
    bool loadConfiguration();
    void handOver();
    bool takesConfiguration();
    bool selectLaw(int which);
    void put(BodyFriction::Severity severity, const string& message);
    bool isTarget(Body* body) const;
    void addBody(SimulationBody* simBody, unsigned sample);
    void addFrictions();
    string frictionSourceOf(Body* body) const;
    vector<const BodyFriction*> allFrictions() const;
    void reportFriction();
    void warnOfAbsence();
    void takeControllerErrors();
    bool initializeSimulation(SimulatorItem* simulatorItem);
    void step();
    void publishStatus();
    void addConfigured(
        Body* body, const string& name, unsigned sample, const vector<JointStatus>& simulated,
        vector<JointStatus>& statuses);
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
    : self(self),
      report([this](BodyFriction::Severity severity, const string& message){
          put(severity, message); }),
      configuration(report)
{
    initializeSelections();
}


StictionItem::Impl::Impl(StictionItem* self, const Impl& org)
    : Impl(self)
{
    isEnabled = org.isEnabled;
    configuration.file = org.configuration.file;
    isRecordingEnabled = org.isRecordingEnabled;
    lawOverride.select(org.lawOverride.which());
    coupling.select(org.coupling.which());
    pushNodes = org.pushNodes;
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
    coupling << N_("as configured");
    for(int i = 0; auto name = stiction_coupling_name(static_cast<stiction_coupling>(i)); ++i){
        coupling << name;
    }
    coupling.select(0);
}


void StictionItem::Impl::put(BodyFriction::Severity severity, const string& message)
{
    static const int types[] = { MessageView::Normal, MessageView::Warning, MessageView::Error };
    if(severity != BodyFriction::Severity::Information){
        lock_guard<mutex> lock(messageMutex);
        (severity == BodyFriction::Severity::Error ? errors : warnings).push_back(message);
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
    if(on != impl->isEnabled){
        impl->isEnabled = on;
        impl->tellOfNextStart(_("Enabled"));
    }
    return true;
}


//! Of a property that does not act on a simulation that runs.
void StictionItem::Impl::tellOfNextStart(const char* property)
{
    auto simulator = self->findOwnerItem<SimulatorItem>();
    if(simulator && simulator->isRunning()){
        put(BodyFriction::Severity::Information,
            formatR(_("'{0}' acts from the next start of the simulation on."), property));
    }
}


bool StictionItem::setConfigurationFile(const string& filename)
{
    const auto before = impl->configuration;
    impl->configuration.file = filename;
    impl->isConfigLoaded = false;
    if(filename != before.file){
        impl->configuration.clearEdits();
    }
    const bool isRunning = impl->isRunning() && !filename.empty();
    if(isRunning && !impl->takesConfiguration()){
        impl->configuration = before; // which still acts
        return false;
    }
    if(before.numEdits() > impl->configuration.numEdits()){
        impl->put(BodyFriction::Severity::Warning,
                  formatR(_("{0} edits that were not written into {1} are lost with it."),
                          before.numEdits(), before.file));
    }
    if(isRunning){
        return true;
    }
    impl->config.reset();
    return filename.empty() || impl->loadConfiguration();
}


const string& StictionItem::configurationFile() const
{
    return impl->configuration.file;
}


bool StictionItem::setLawOverride(const string& law)
{
    impl->isConfigLoaded = false;
    return law.empty() ? impl->lawOverride.select(0) : impl->lawOverride.select(law);
}


void StictionItem::setRecordingEnabled(bool on)
{
    impl->isRecordingEnabled = on;
}


void StictionItem::setOverrides(const Overrides& overrides)
{
    impl->configuration.values = overrides;
    impl->isConfigLoaded = false;
}


void StictionItem::collectResults(const Collection& collection)
{
    impl->collection = make_unique<Collection>(collection);
}


vector<string> StictionItem::pushes() const
{
    return LinkPushes::linesOf(impl->pushNodes);
}


void StictionItem::setPushing(bool on)
{
    impl->isPushing = on;
}


const vector<unique_ptr<BodyFriction>>& StictionItem::frictions() const
{
    return impl->frictions;
}


const vector<ControllerItem*>& StictionItem::controllers() const
{
    return impl->controllers;
}


bool StictionItem::hasHostedController() const
{
    return impl->hasHostedController;
}


string StictionItem::controllerFailure() const
{
    return impl->recording.controllerFailure();
}


vector<string> StictionItem::warnings() const
{
    vector<string> all;
    {
        lock_guard<mutex> lock(impl->messageMutex);
        all = impl->warnings;
    }
    const auto ofControllers = impl->recording.controllerWarnings();
    all.insert(all.end(), ofControllers.begin(), ofControllers.end());
    const string doubt = impl->recording.doubt();
    if(!doubt.empty()){
        all.push_back(doubt);
    }
    return all;
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
    lock_guard<mutex> lock(impl->messageMutex);
    return impl->errors;
}


bool StictionItem::Impl::isRunning() const
{
    auto owner = self->findOwnerItem<SimulatorItem>();
    return isSimulating && owner == simulatorItem && owner->isRunning();
}


//! Of the simulation, or those that the next one would have.
vector<Body*> StictionItem::Impl::findBodies()
{
    vector<Body*> bodies;
    if(isSimulating && self->findOwnerItem<SimulatorItem>() == simulatorItem){
        bodies = bodiesOf(simulatorItem);
    } else if(auto worldItem = self->findOwnerItem<WorldItem>()){
        for(auto& bodyItem : worldItem->descendantItems<BodyItem>()){
            bodies.push_back(bodyItem->body());
        }
    }
    return bodies;
}


vector<string> StictionItem::Impl::findJointNames()
{
    vector<string> names;
    for(auto body : findBodies()){
        for(auto& joint : body->allJoints()){
            if(!isGap(joint)){
                names.push_back(joint->jointName());
            }
        }
    }
    return names;
}


//! \return false, with every error in the message view, if it cannot be used
bool StictionItem::Impl::loadConfiguration()
{
    configuration.law = lawOverride.which() > 0 ? lawOverride.selectedSymbol() : "";
    configuration.coupling = coupling.which() > 0 ? coupling.selectedSymbol() : "";
    isConfigLoaded = true;
    auto loaded = configuration.load(findJointNames());
    if(loaded){
        config = loaded;
    }
    return loaded != nullptr;
}


//! To a simulation that runs, which takes it at its next step.
void StictionItem::Impl::handOver()
{
    lock_guard<mutex> lock(reloadMutex);
    reloadedConfig = config;
}


//! Whether the file with what replaces values of it is right for the robots and the time step, as at
//! a start. Else friction stays as it is.
bool StictionItem::Impl::takesConfiguration()
{
    const auto before = config;
    if(!loadConfiguration()){
        return false;
    }
    auto simulator = self->findOwnerItem<SimulatorItem>();
    const auto bodies = findBodies();
    bool isTaken = true, isForAny = bodies.empty();
    for(auto body : bodies){
        if(isTarget(body)){
            isForAny = true;
            isTaken = isTaken && (!simulator || BodyFriction::check(
                body, config.get(), simulator->worldTimeStep(), report));
        } else if(any_of(frictions.begin(), frictions.end(),
                         [&](auto& friction){ return friction->body() == body; })){
            put(BodyFriction::Severity::Error,
                formatR(_("{0} has friction, and {1} is not for it."), body->name(), configuration.file));
            isTaken = isForAny = false;
        }
    }
    if(isTaken && !isForAny){
        put(BodyFriction::Severity::Error,
            formatR(_("No body of this simulation is a model of {0}."), configuration.file));
    }
    if(!isTaken || !isForAny){
        config = before;
        return false;
    }
    handOver();
    return true;
}


bool StictionItem::reloadConfiguration()
{
    return impl->takesConfiguration();
}


//! At once where a simulation runs.
bool StictionItem::Impl::selectLaw(int which)
{
    const int before = lawOverride.which();
    isConfigLoaded = false;
    bool isTaken = lawOverride.select(which);
    if(isTaken && isRunning() && !takesConfiguration()){
        lawOverride.select(before);
        isTaken = false;
    }
    return isTaken;
}


bool StictionItem::editValues(const Overrides& values, int number)
{
    impl->configuration.addEdit({ values, number });
    const bool isTaken = impl->takesConfiguration();
    if(!isTaken){
        impl->configuration.removeEdit();
    }
    notifyUpdate();
    return isTaken;
}


bool StictionItem::undoEdit()
{
    if(impl->configuration.numEdits() == 0){
        return false;
    }
    const auto edit = impl->configuration.removeEdit();
    const bool isTaken = impl->takesConfiguration();
    if(!isTaken){
        impl->configuration.addEdit(edit); // it still acts
    }
    notifyUpdate();
    return isTaken;
}


bool StictionItem::writeEdits()
{
    const auto numEdits = impl->configuration.numEdits();
    if(!impl->configuration.writeEdits(impl->findJointNames())){
        return false;
    }
    impl->put(BodyFriction::Severity::Information,
              formatR(_("{0} edits were written into {1}."), numEdits, configurationFile()));
    notifyUpdate();
    return true;
}


const FrictionConfiguration& StictionItem::configuration() const
{
    return impl->configuration;
}


bool StictionItem::Impl::isTarget(Body* body) const
{
    vector<const char*> names;
    for(auto& joint : body->allJoints()){
        if(!isGap(joint)){
            names.push_back(joint->jointName().c_str());
        }
    }
    return stiction_config_is_for(
        config.get(), body->modelName().c_str(), names.data(), names.size());
}


//! Who already applies friction to a body; empty: none.
string StictionItem::Impl::frictionSourceOf(Body* body) const
{
    if(BodyFriction::isCustomized(body)){
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


void StictionItem::Impl::addBody(SimulationBody* simBody, unsigned sample)
{
    Body* body = simBody->body();
    const string source = frictionSourceOf(body);
    if(!source.empty()){
        put(BodyFriction::Severity::Error,
            formatR(_("{0} gets its friction from {1} already; it is not applied twice."),
                    body->name(), source));
        return;
    }
    auto friction = BodyFriction::create(
        body, config.get(), simulatorItem->worldTimeStep(), report,
        sample);
    if(friction && simBody->numControllers() == 0){
        passiveJoints[simBody->bodyItem()->body()].report(
            body, report);
    }
    // ODE has none and reports it itself
    const bool hasRotors = strstr(typeid(*simulatorItem).name(), "ODESimulatorItem") == nullptr;
    if(friction && friction->couple(config.get(), simulatorItem->getGravity(), hasRotors)){
        friction->setMidpoint(
            findSimulatorProperty(simulatorItem, { "Integration mode" }).choice == "Runge-Kutta");
        frictions.push_back(move(friction));
    }
}


void StictionItem::onTreePathChanged()
{
    impl->startConnection.disconnect();
    if(auto simulator = findOwnerItem<SimulatorItem>()){
        impl->startConnection = simulator->sigSimulationAboutToBeStarted().connect(
            [this](){ impl->prepareBodies(); });
    }
    // later, when the whole project is there
    weak_ref_ptr<StictionItem> item(this);
    callLater([item](){
        if(auto placed = item.lock()){
            placed->impl->tellOfPlace();
        }
    });
}


//! Where it can never act.
void StictionItem::Impl::tellOfPlace()
{
    const bool isMisplaced = self->isConnectedToRoot() && !self->findOwnerItem<SimulatorItem>();
    if(isMisplaced && !wasMisplaced){
        put(BodyFriction::Severity::Warning,
            _("This item is below no simulator item and gives no friction: drag it onto a simulator item."));
    }
    wasMisplaced = isMisplaced;
}


/**
   The PhysX and MuJoCo items check only when they create a body whether a joint is driven by
   effort; a passive joint would get no friction. So passive joints are in effort mode while the
   simulator copies the bodies, which happens before this item starts.
*/
void StictionItem::Impl::prepareBodies()
{
    restoreBodies();
    recording.clearItems(self);
    if(!isEnabled){
        put(BodyFriction::Severity::Warning, _("No friction from this item: it is not enabled."));
    }
    passiveJoints.clear();
    stiction_config* meant = nullptr;
    auto worldItem = self->findOwnerItem<WorldItem>();
    if(collection && worldItem){
        floatingBodies.prepare(worldItem->descendantItems<BodyItem>());
    }
    if(!isEnabled || !worldItem || configuration.file.empty() ||
       stiction_config_load(configuration.file.c_str(), &meant, nullptr) != STICTION_OK){
        return; // errors are reported at the start
    }
    for(auto& bodyItem : worldItem->descendantItems<BodyItem>()){
        auto& joints = passiveJoints[bodyItem->body()];
        for(auto& joint : bodyItem->body()->allJoints()){
            stiction_joint_def def = stiction_joint_def_default();
            const int mode = joint->actuationMode();
            if(mode == Link::StateNone && !isGap(joint) &&
               stiction_config_find_joint(meant, joint->jointName().c_str(), &def) &&
               strcmp(def.law, "none") != 0 && joints.take(joint)){
                preparedJoints.push_back({ joint, mode });
            }
        }
    }
    stiction_config_destroy(meant);
}


//! The joints of the item tree are as they were.
void StictionItem::Impl::restoreBodies()
{
    for(auto& joint : preparedJoints){
        joint.first->setActuationMode(joint.second);
    }
    preparedJoints.clear();
    floatingBodies.restore();
}


bool StictionItem::initializeSimulation(SimulatorItem* simulatorItem)
{
    return impl->initializeSimulation(simulatorItem);
}


void StictionItem::Impl::addFrictions()
{
    unsigned numBodies = 0; // each is a separate sample
    for(auto& simBody : simulatorItem->simulationBodies()){
        if(isTarget(simBody->body())){
            addBody(simBody, numBodies++);
        }
    }
    if(numBodies == 0){
        put(BodyFriction::Severity::Error,
            formatR(_("No body of this simulation is a model of {0}."), configuration.file));
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


//! Choreonoid continues without a controller that refuses its options; a batch run does not.
void StictionItem::Impl::takeControllerErrors()
{
    for(auto& item : simulatorItem->worldItem()->descendantItems<ControllerItem>()){
        auto controller = hostedController(item);
        if(controller && !controller->refusal().empty()){
            put(BodyFriction::Severity::Error,
                formatR("controller '{0}': {1}", item->name(), controller->refusal()));
        }
    }
}


//! One line a body, or why there is none.
void StictionItem::Impl::reportFriction()
{
    for(auto& friction : frictions){
        int count = 0;
        for(int i = 0; i < friction->numJoints(); ++i){
            count += strcmp(friction->jointDef(i).law, "none") != 0;
        }
        const string name = friction->body()->name();
        if(count > 0){
            put(BodyFriction::Severity::Information,
                formatR(_("{0}: friction on {1} joints, {2} coupling."), name, count,
                        friction->isImplicit() ? "implicit" : "explicit"));
        } else {
            put(BodyFriction::Severity::Warning,
                formatR(_("{0}: no joint has friction: none is driven by effort, or their law is none."),
                        name));
        }
    }
    const auto mode = findSimulatorProperty(simulatorItem, { "Dynamics mode" });
    if(!frictions.empty() && mode.choice == "Kinematics"){
        put(BodyFriction::Severity::Warning,
            formatR(_("{0} is in kinematics mode, where torques and friction have no effect."),
                    simulatorItem->displayName()));
    }
    if(!collection && frictions.empty()){
        put(BodyFriction::Severity::Warning,
            configuration.file.empty() ?
            _("No friction from this item: it has no configuration file.") :
            _("No friction from this item: see the errors above."));
    }
}


//! A batch run in which no joint has friction is an error.
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
        if(BodyFriction::isCustomized(simBody->body())){
            put(BodyFriction::Severity::Warning,
                formatR("the friction of {0} is StictionCustomizer's, which the results do not show",
                        simBody->body()->name()));
            return;
        }
    }
    string why = collection->absence;
    if(why.empty()){
        why = !errors.empty() ? "it is not as configured, see the messages" :
            configuration.file.empty() ?
            formatR("the StictionItem '{0}' has no configuration file", self->name()) :
            hasJoints ? "the law of every joint is none" : "no joint is driven by effort";
    }
    put(BodyFriction::Severity::Warning, "no joint has friction: " + why);
}


bool StictionItem::Impl::initializeSimulation(SimulatorItem* simulatorItem)
{
    this->simulatorItem = simulatorItem;
    restoreBodies();
    isSimulating = true;
    isStopping = false;
    frictions.clear();
    reloadedConfig.reset();
    {
        lock_guard<mutex> lock(messageMutex);
        errors.clear();
        warnings.clear();
    }
    simulatedTime = 0.0;
    config.reset();
    if(isEnabled && !configuration.file.empty() && loadConfiguration()){
        addFrictions();
    }
    reportFriction();
    const auto bodies = findBodies();
    const auto names = distinctNames(bodies);
    bodyNames.clear();
    for(size_t i = 0; i < bodies.size(); ++i){
        bodyNames[bodies[i]] = names[i];
    }
    publishStatus();
    if(collection){
        takeControllerErrors();
        warnOfAbsence();
    }
    hasHostedController = false;
    for(auto& simBody : simulatorItem->simulationBodies()){
        hasHostedController = hasHostedController || !hostedControllers(simBody).empty();
    }
    const string mistake =
        controllerInputs.start(simulatorItem, collection ? collection->targets : string());
    if(!mistake.empty()){
        put(BodyFriction::Severity::Error, mistake);
    }
    pushes.start(
        simulatorItem,
        collection ? collection->pushes : isPushing ? self->pushes() : vector<string>(), report);
    floatingBodies.start(simulatorItem);
    recording.start(
        self, simulatorItem, frictions, isRecordingEnabled, allFrictions(), collection.get(),
        pushes, floatingBodies);
    velocities.start(
        simulatorItem, report);
    simulatorItem->addPreDynamicsFunction([this](){
        pushes.apply(this->simulatorItem->currentTime());
        velocities.update();
        controllerInputs.updateControllers();
        recording.prepare();
    });
    simulatorItem->addMidDynamicsFunction([this](){ step(); });

    // An error is shown, and the simulation continues without that friction.
    return true;
}


void StictionItem::Impl::step()
{
    controllerInputs.readControllers();
    if(controllerInputs.haveFailed() || isStopping){
        return; // the simulation ends with the step before
    }
    FrictionConfigPtr reloaded;
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
    controllerInputs.keepEfforts(frictions);
    simulatedTime = simulatorItem->currentTime();
    recording.add(simulatedTime, frictions);
    if(collection && controllerInputs.areFinished()){
        isStopping = true;
        requestToStop(simulatorItem, false);
    }
    if(isStatusWanted.exchange(false)){
        publishStatus();
    }
}


//! In the thread of the simulation, or after it.
void StictionItem::Impl::publishStatus()
{
    lock_guard<mutex> lock(statusMutex);
    simulated.clear();
    for(auto& friction : frictions){
        for(int i = 0; i < friction->numJoints(); ++i){
            auto link = friction->link(i);
            auto& last = friction->quantities();
            simulated.push_back(
                { bodyNames[friction->body()], link->jointName(), link->isPrismaticJoint(),
                  friction->jointDef(i), true, last.slipping[i] != 0, last.torque[i],
                  last.deflection[i], last.dissipated_energy[i] });
        }
    }
}


void StictionItem::Impl::addConfigured
(Body* body, const string& name, unsigned sample, const vector<JointStatus>& simulated,
 vector<JointStatus>& statuses)
{
    for(auto& joint : body->allJoints()){
        JointStatus status = { name, joint->jointName(), joint->isPrismaticJoint(),
                               stiction_joint_def_default(), false, false, 0.0, 0.0, 0.0 };
        if(isGap(joint) ||
           !stiction_config_find_joint(config.get(), status.jointName.c_str(), &status.def)){
            continue;
        }
        stiction_config_draw(
            config.get(), status.jointName.c_str(), sample, 0.0, &status.def, nullptr);
        for(auto& last : simulated){
            if(last.bodyName == status.bodyName && last.jointName == status.jointName){
                const auto def = status.def;
                status = last;
                status.def = def;
            }
        }
        statuses.push_back(status);
    }
}


vector<StictionItem::JointStatus> StictionItem::jointStatuses()
{
    vector<JointStatus> statuses;
    if(impl->isRunning()){
        impl->isStatusWanted = true;
        lock_guard<mutex> lock(impl->statusMutex);
        statuses = impl->simulated;
        for(auto& status : statuses){
            // an edit is shown at once, not when the simulation reports it; what is drawn depends
            // on the body and the time step, which the simulation knows
            if(!stiction_config_is_random(impl->config.get())){
                stiction_config_find_joint(
                    impl->config.get(), status.jointName.c_str(), &status.def);
            }
        }
        return statuses;
    }
    if(!impl->isConfigLoaded && !impl->configuration.file.empty()){
        impl->loadConfiguration();
    }
    if(impl->config && impl->isEnabled){
        auto last = impl->simulated;
        impl->recording.recall(TimeBar::instance()->time(), last);
        const auto bodies = impl->findBodies();
        const auto names = distinctNames(bodies);
        unsigned sample = 0;
        for(size_t i = 0; i < bodies.size(); ++i){
            if(impl->isTarget(bodies[i])){
                impl->addConfigured(bodies[i], names[i], sample++, last, statuses);
            }
        }
    }
    return statuses;
}


vector<string> StictionItem::recordedQuantities()
{
    return Recording::quantityNames();
}


FrictionGraph::Curve StictionItem::record
(const string& body, const string& joint, size_t quantity) const
{
    return impl->recording.find(body, joint, quantity);
}


void StictionItem::finalizeSimulation()
{
    impl->controllers = activeControllers(impl->simulatorItem);
    impl->recording.finish();
    impl->velocities.finish();
    impl->publishStatus();
    impl->frictions.clear();
    impl->isSimulating = false;
}


void StictionItem::doPutProperties(PutPropertyFunction& putProperty)
{
    SubSimulatorItem::doPutProperties(putProperty);
    FilePathProperty file(
        impl->configuration.file, { _("Friction configuration (*.yaml *.yml)") });
    putProperty(_("Configuration file"), file,
                [this](const string& filename){ return setConfigurationFile(filename); });
    putProperty(_("Reload"), false,
                [this](bool on){ if(on) reloadConfiguration(); return false; });
    putProperty(_("Law"), impl->lawOverride,
                [this](int which){ return impl->selectLaw(which); });
    putProperty(_("Coupling"), impl->coupling, [this](int which){
        impl->isConfigLoaded = false;
        impl->tellOfNextStart(_("Coupling"));
        return impl->coupling.select(which);
    });
    putProperty(_("Record"), impl->isRecordingEnabled, changeProperty(impl->isRecordingEnabled));
}


bool StictionItem::store(Archive& archive)
{
    SubSimulatorItem::store(archive);
    if(impl->configuration.numEdits() > 0){
        impl->put(BodyFriction::Severity::Warning,
                  _("The edited values are not in the configuration file: write them there with the Stiction view, or they are lost with the project."));
    }
    archive.writeRelocatablePath("configuration_file", impl->configuration.file);
    if(impl->lawOverride.which() > 0){
        archive.write("law", impl->lawOverride.selectedSymbol());
    }
    if(impl->coupling.which() > 0){
        archive.write("coupling", impl->coupling.selectedSymbol());
    }
    archive.write("record", impl->isRecordingEnabled);
    if(impl->pushNodes){
        archive.insert("pushes", impl->pushNodes->clone());
    }
    return true;
}


bool StictionItem::restore(const Archive& archive)
{
    SubSimulatorItem::restore(archive);
    string symbol;
    // none was chosen: not the folder of the project
    if(archive.read("configuration_file", symbol) && !symbol.empty()){
        archive.readRelocatablePath("configuration_file", impl->configuration.file);
        error_code code;
        if(!filesystem::exists(impl->configuration.file, code)){
            impl->put(BodyFriction::Severity::Warning,
                      formatR(_("The configuration file {0} does not exist."), impl->configuration.file));
        }
    }
    if(archive.read("law", symbol) && !setLawOverride(symbol)){
        impl->put(BodyFriction::Severity::Error, formatR(_("There is no law '{0}'."), symbol));
        return false;
    }
    if(archive.read("coupling", symbol) && !impl->coupling.select(symbol)){
        impl->put(BodyFriction::Severity::Error, formatR(_("There is no coupling '{0}'."), symbol));
        return false;
    }
    archive.read("record", impl->isRecordingEnabled);
    auto pushes = archive.find("pushes");
    impl->pushNodes = pushes->isValid() ? pushes->clone() : nullptr;
    if(impl->pushNodes && !impl->pushNodes->isListing()){
        impl->put(BodyFriction::Severity::Error, _("pushes must be a list."));
        return false;
    }
    return true;
}
