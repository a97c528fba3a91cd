/* SPDX-License-Identifier: MIT */
#include "Recording.h"
#include "SimulatorProperty.h"
#include <cnoid/Config>
#include <cnoid/Format>
#include <cnoid/ItemManager>
#include <cnoid/Link>
#include <cnoid/MultiValueSeqItem>
#include <cnoid/ProjectManager>
#include "HostedControllers.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <set>
#include "gettext.h"

using namespace std;
using namespace cnoid;

namespace {

// The quantities that become sequence items, in the order of Recording::series_.
const char* const quantities[] = {
    N_("commanded torque"), N_("friction torque"), N_("stick"), N_("deflection")
};
constexpr size_t numQuantities = sizeof(quantities) / sizeof(quantities[0]);

string itemName(const string& bodyName, size_t quantity)
{
    return formatR("{0}-{1}", bodyName, _(quantities[quantity]));
}

//! "AISTSimulatorItem" and the like.
string className(Item* item)
{
    string module, name;
    ItemManager::getClassIdentifier(item, module, name);
    return name;
}

}


Recording::~Recording()
{
    results_destroy(results_);
}


results* Recording::takeResults(bool isComplete, const vector<string>& warnings)
{
    if(!results_){
        return nullptr;
    }
    vector<results_controller> list;
    list.reserve(controllers_.size());
    vector<vector<stiction_controller_note>> notes(controllers_.size());
    for(size_t i = 0; i < controllers_.size(); ++i){
        auto& c = *controllers_[i];
        for(auto& note : c.notes){
            notes[i].push_back(
                { note.key.c_str(), note.isText ? note.text.c_str() : nullptr, note.value });
        }
        list.push_back({ c.name.c_str(), c.body.c_str(), c.options.c_str(),
                         c.library.empty() ? nullptr : c.library.c_str(), notes[i].data(),
                         notes[i].size() });
    }
    bool isWhole = results_finish(results_, isComplete, list.data(), list.size());
    const string why = doubt();
    if(!why.empty()){
        isWhole = results_doubt(results_, why.c_str()) && isWhole;
    }
    for(auto& warning : warnings){
        isWhole = results_warn(results_, warning.c_str()) && isWhole;
    }
    if(!isWhole){
        throw bad_alloc();
    }
    auto taken = results_;
    results_ = nullptr;
    return taken;
}


//! No controller of ours did anything, though it has no options or joints are not where they should
//! be.
string Recording::doubt() const
{
    bool isMeantToAct = false;
    for(auto& controller : controllers_){
        isMeantToAct = isMeantToAct || (controller->hosted && controller->options.empty());
    }
    for(size_t i = 0; i < target_.size(); ++i){
        isMeantToAct = isMeantToAct || fabs(target_[i] - position_[i]) > 1e-3;
    }
    return !isMeantToAct || hasCommand_ || controllers_.empty() ? string() :
        "the controllers commanded no torque in the whole run: see whether Choreonoid read their "
        "options (up to 2.4 the key is controllerOptions) and their targets";
}


void Recording::start
(Item* owner, SimulatorItem* simulatorItem, const vector<unique_ptr<BodyFriction>>& frictions,
 bool forItems, const vector<const BodyFriction*>& allFrictions,
 const StictionItem::Collection* collection, const LinkPushes& pushes, FloatingBodies& floatingBodies)
{
    owner_ = owner;
    floatingBodies_ = &floatingBodies;
    pushes_ = &pushes;
    simulatorItem_ = simulatorItem;
    const int mode = simulatorItem->recordingMode();
    forItems_ = forItems && !frictions.empty() && mode != SimulatorItem::NoRecording;
    const double tail = findSimulatorProperty(simulatorItem, { "Time length" }).number;
    mostRows_ = mode == SimulatorItem::TailRecording ?
        static_cast<size_t>(tail / simulatorItem->worldTimeStep()) : numeric_limits<int>::max();
    firstRow_ = 0;
    series_.assign(numQuantities, vector<double>());
    recorded_.clear();
    const auto bodies = bodiesOf(simulatorItem);
    const auto names = distinctNames(bodies);
    for(auto& friction : frictions){
        const auto body = std::find(bodies.begin(), bodies.end(), friction->body());
        recorded_.push_back({ names[body - bodies.begin()], {} });
        for(int i = 0; i < friction->numJoints(); ++i){
            recorded_.back().joints.push_back(friction->link(i)->jointName());
        }
    }
    results_destroy(results_);
    results_ = nullptr;
    if(collection){
        findJoints(allFrictions);
        createResults(*collection);
    }
}


//! All joints of the simulation, those without friction, too.
void Recording::findJoints(const vector<const BodyFriction*>& frictions)
{
    joints_.clear();
    controllers_.clear();
    floatingRoots_.clear();
    vector<SimulationBody*> simBodies;
    vector<Body*> bodies;
    for(auto& simBody : simulatorItem_->simulationBodies()){
        if(simBody->body()->numAllJoints() > 0){
            simBodies.push_back(simBody);
            bodies.push_back(simBody->body());
        }
    }
    const auto labels = jointLabels(bodies);
    auto label = labels.begin();
    jointNames_.clear();
    hasCommand_ = false;
    for(size_t b = 0; b < bodies.size(); ++b){
        auto body = bodies[b];
        findControllers(simBodies[b]);
        for(auto& link : body->allJoints()){
            const string& name = *label++;
            if(isGap(link)){
                continue;
            }
            jointNames_.push_back(name);
            Joint joint = { link, nullptr, 0 };
            for(auto friction : frictions){
                for(int i = 0; i < friction->numJoints(); ++i){
                    if(friction->link(i) == link){
                        joint = { link, friction, i };
                    }
                }
            }
            joints_.push_back(joint);
        }
    }
    findChannels();
}


//! The poses of bodies that float, and what controllers record, by the names of the embedded engine.
void Recording::findChannels()
{
    channelNames_.clear();
    vector<Body*> bodies;
    for(auto& simBody : simulatorItem_->simulationBodies()){
        // one that nothing moves is scenery
        if(!simBody->body()->isStaticModel() && !simBody->body()->rootLink()->isFixedJoint()){
            bodies.push_back(simBody->body());
        }
    }
    const auto names = distinctNames(bodies);
    for(size_t b = 0; b < bodies.size(); ++b){
        floatingRoots_.push_back(bodies[b]->rootLink());
        for(auto part : { "x", "y", "z", "qw", "qx", "qy", "qz" }){
            channelNames_.push_back((bodies.size() > 1 ? names[b] + ".base." : "base.") + part);
        }
    }
    for(auto& name : floatingBodies_->channelNames(bodies.size() > 1)){
        channelNames_.push_back(name);
    }
    for(size_t k = 0; k < pushes_->list().count; ++k){
        for(auto part : { "x", "y", "z" }){
            channelNames_.push_back(formatR("push.{0}.{1}", pushes_->list().items[k].name, part));
        }
    }
    set<const Body*> owners;
    for(auto& joint : joints_){
        owners.insert(joint.link->body());
    }
    for(auto& controller : controllers_){
        controller->firstRecord = channelNames_.size();
        const string owner = owners.size() > 1 ? controller->body + "." : "";
        if(controller->hosted){
            for(auto& name : controller->hosted->recordNames()){
                channelNames_.push_back("controller." + owner + name);
            }
        }
    }
    channels_.assign(channelNames_.size(), numeric_limits<double>::quiet_NaN());
}


void Recording::Controller::onNote(const char* key, const char* text, double value)
{
    notes.push_back({ key, text ? text : "", text != nullptr, value });
}


void Recording::Controller::onFailure(const string& message)
{
    failure = message;
}


string Recording::controllerFailure() const
{
    for(auto& controller : controllers_){
        if(!controller->failure.empty()){
            return controller->failure;
        }
    }
    return string();
}


vector<string> Recording::controllerWarnings() const
{
    vector<string> warnings;
    for(auto& controller : controllers_){
        for(auto& note : controller->notes){
            if(note.key == "warning" && note.isText){
                warnings.push_back(
                    formatR("controller '{0}': {1}", controller->name, note.text));
            }
        }
    }
    return warnings;
}


//! Before the joints of the body are added.
void Recording::findControllers(SimulationBody* simBody)
{
    vector<int> places;
    int place = static_cast<int>(joints_.size());
    for(auto& joint : simBody->body()->joints()){
        places.push_back(isGap(joint) ? -1 : place++);
    }
    for(int i = 0; i < simBody->numControllers(); ++i){
        auto item = simBody->controller(i);
        auto controller = make_unique<Controller>();
        controller->name = item->name();
        controller->body = simBody->body()->name();
        controller->options = item->optionString();
        controller->places = places;
        controller->targets.resize(places.size());
        if(auto hosted = hostedController(item)){
            controller->hosted = hosted;
            controller->options = hosted->usedOptions();
            controller->library = hosted->library();
            hosted->setObserver(controller.get());
        }
        controllers_.push_back(move(controller));
    }
}


void Recording::createResults(const StictionItem::Collection& collection)
{
    vector<stiction_joint_def> defs;
    unique_ptr<bool[]> prismatic(new bool[joints_.size() + 1]);
    for(auto& joint : joints_){
        prismatic[defs.size()] = joint.link->isPrismaticJoint();
        defs.push_back(joint.friction ? joint.friction->jointDef(joint.index)
                                      : stiction_joint_def_default());
    }
    vector<const char*> pointers;
    for(auto& name : jointNames_){
        pointers.push_back(name.c_str());
    }
    vector<const char*> overrides;
    for(auto& text : collection.overrides){
        overrides.push_back(text.c_str());
    }
    // the project of a single robot is in a temporary folder
    const char* robot = getenv("STICTION_PROJECT");
    const string project =
        robot ? string(robot) : ProjectManager::instance()->currentProjectFile();
    const string engine = "choreonoid " + className(simulatorItem_);
    results_def def = {};
    def.project = project.c_str();
    def.simulator = simulatorItem_->name().c_str();
    def.engine = engine.c_str();
    def.engine_version = CNOID_FULL_VERSION_STRING;
    if(!collection.frictionSource.empty()){
        def.friction_source = collection.frictionSource.c_str();
    }
    bool hasImplicit = false, hasExplicit = false;
    for(auto& joint : joints_){
        if(joint.friction){
            (joint.friction->isImplicit() ? hasImplicit : hasExplicit) = true;
            if(joint.friction->isDrawn(joint.index)){
                def.drawn = true;
                def.seed = joint.friction->seed();
            }
        }
    }
    def.coupling = hasImplicit ? hasExplicit ? "both" : "implicit" : "explicit";
    def.overrides = overrides.data();
    def.override_count = overrides.size();
    def.timestep = simulatorItem_->worldTimeStep();
    def.interval = collection.interval;
    def.count = pointers.size();
    def.names = pointers.data();
    def.prismatic = prismatic.get();
    def.friction = defs.data();
    vector<const char*> channels;
    for(auto& name : channelNames_){
        channels.push_back(name.c_str());
    }
    def.channels = channels.data();
    def.channel_count = channels.size();
    def.bodies = floatingBodies_->bodies().data();
    def.body_count = floatingBodies_->bodies().size();
    def.pushes = pushes_->list().items;
    def.push_count = pushes_->list().count;
    results_ = results_create(&def);
    for(auto values : { &position_, &velocity_, &command_ }){
        values->assign(joints_.size(), 0.0);
    }
    friction_.resize(joints_.size());
    target_.assign(joints_.size(), numeric_limits<double>::quiet_NaN());
    fill_n(friction_.slipping, joints_.size(), 1);
}


//! What acts in a step was commanded in the last one where a controller has a delay.
void Recording::prepare()
{
    if(results_){
        copyControllers(true);
    }
}


void Recording::copyControllers(bool areDelayed)
{
    for(auto& controller : controllers_){
        if(controller->hosted && controller->hosted->isDelayed() == areDelayed){
            controller->hosted->copyTargets(controller->targets.data());
            for(size_t i = 0; i < controller->places.size(); ++i){
                if(controller->places[i] >= 0){
                    target_[controller->places[i]] = controller->targets[i];
                }
            }
            controller->hosted->copyRecords(channels_.data() + controller->firstRecord);
        }
    }
}


void Recording::add(double time, const vector<unique_ptr<BodyFriction>>& frictions)
{
    if(forItems_){
        addToSeries(frictions);
    }
    if(results_){
        addToResults(time);
    }
}


void Recording::addToSeries(const vector<unique_ptr<BodyFriction>>& frictions)
{
    size_t total = 0;
    for(size_t b = 0; b < frictions.size(); ++b){
        auto& friction = frictions[b];
        // joints that a reload added have no place
        const int numJoints = static_cast<int>(recorded_[b].joints.size());
        for(int i = 0; i < numJoints; ++i){
            series_[0].push_back(friction->commands()[i]);
            series_[1].push_back(friction->quantities().torque[i]);
            series_[2].push_back(friction->quantities().slipping[i] ? 0.0 : 1.0);
            series_[3].push_back(friction->quantities().deflection[i]);
        }
        total += numJoints;
    }
    // half of it at once, which is cheap
    if(total > 0 && series_[0].size() / total >= 2 * mostRows_ + 2){
        const size_t surplus = series_[0].size() / total - mostRows_;
        for(auto& values : series_){
            values.erase(values.begin(), values.begin() + surplus * total);
        }
        firstRow_ += surplus;
    }
}


void Recording::addToResults(double time)
{
    for(size_t i = 0; i < joints_.size(); ++i){
        auto& joint = joints_[i];
        position_[i] = joint.link->q();
        velocity_[i] = joint.link->dq();
        command_[i] = joint.link->u();
        if(joint.friction){
            command_[i] = joint.friction->commands()[joint.index];
            const joint_quantities last = joint_arrays_view(&joint.friction->quantities());
            joint_arrays_copy(&friction_, i, &last, joint.index);
        }
        hasCommand_ = hasCommand_ || command_[i] != 0.0;
    }
    copyControllers(false);
    auto channel = channels_.begin();
    for(auto root : floatingRoots_){
        Quaternion q(root->R());
        q.normalize();
        for(double value : { root->p().x(), root->p().y(), root->p().z(), q.w(), q.x(), q.y(), q.z() }){
            *channel++ = value;
        }
    }
    floatingBodies_->read();
    const size_t first = channel - channels_.begin();
    floatingBodies_->copyChannels(channels_.data() + first);
    channel += 5 * floatingBodies_->bodies().size();
    copy(pushes_->forces().begin(), pushes_->forces().end(), channel);
    results_sample sample = {};
    sample.time = time;
    sample.position = position_.data();
    sample.velocity = velocity_.data();
    sample.command = command_.data();
    sample.target = target_.data();
    sample.friction = joint_arrays_view(&friction_);
    sample.channels = channels_.data();
    sample.bodies = floatingBodies_->samples().data();
    if(!results_add(results_, &sample)){
        results_is_full(results_) ? results_warn(results_, RESULTS_FULL) : results_lose(results_);
    }
}


//! nullptr: there is none.
MultiValueSeqItem* Recording::findItem(size_t body, size_t quantity) const
{
    return owner_->findChildItem<MultiValueSeqItem>(itemName(recorded_[body].name, quantity));
}


vector<string> Recording::quantityNames()
{
    vector<string> names;
    for(auto quantity : quantities){
        names.push_back(_(quantity));
    }
    return names;
}


FrictionGraph::Curve Recording::find(const string& body, const string& joint, size_t quantity) const
{
    for(size_t b = 0; b < recorded_.size(); ++b){
        auto& joints = recorded_[b].joints;
        const auto place = std::find(joints.begin(), joints.end(), joint);
        auto item = recorded_[b].name == body && place != joints.end() ? findItem(b, quantity) : nullptr;
        if(item && item->seq()->numFrames() > 1){
            return { item->seq(), static_cast<int>(place - joints.begin()) };
        }
    }
    return { nullptr, 0 };
}


bool Recording::recall(double time, vector<StictionItem::JointStatus>& joints) const
{
    auto recalled = joints;
    auto joint = recalled.begin();
    for(size_t b = 0; b < recorded_.size(); ++b){
        const int numJoints = static_cast<int>(recorded_[b].joints.size());
        for(int i = 0; i < numJoints && joint != recalled.end(); ++i, ++joint){
            double values[numQuantities];
            for(size_t k = 0; k < numQuantities; ++k){
                auto item = findItem(b, k);
                auto seq = item ? item->seq() : nullptr;
                const int frame = seq ?
                    static_cast<int>(lround(time * seq->frameRate())) - seq->getOffsetTimeFrame() : -1;
                // the last one is the state at the end, of which more is known
                if(frame < 0 || frame >= seq->numFrames() - 1 || i >= seq->numParts()){
                    return false;
                }
                values[k] = (*seq)(frame, i);
            }
            joint->torque = values[1];
            joint->isSlipping = values[2] == 0.0;
            joint->deflection = values[3];
            joint->dissipatedEnergy = numeric_limits<double>::quiet_NaN(); // which is not recorded
        }
    }
    joints = recalled;
    return true;
}


//! The items stay, since a graph may show them.
void Recording::clearItems(Item* owner)
{
    for(auto item = owner->childItem(); item; item = item->nextItem()){
        auto series = dynamic_cast<MultiValueSeqItem*>(item);
        if(series && series->isTemporary()){
            series->seq()->setNumFrames(0);
            series->notifyUpdate();
        }
    }
}


/**
   One sequence item a body and quantity, below the item, replaced by the next simulation.
*/
void Recording::finish()
{
    if(!forItems_){
        return;
    }
    size_t total = 0;
    for(auto& body : recorded_){
        total += body.joints.size();
    }
    size_t offset = 0;
    for(size_t b = 0; b < recorded_.size(); ++b){
        const int n = static_cast<int>(recorded_[b].joints.size());
        for(size_t k = 0; n > 0 && k < numQuantities; ++k){
            const size_t numRows = series_[k].size() / total, skipped = numRows - min(numRows, mostRows_);
            const int numFrames = static_cast<int>(numRows - skipped);
            auto item = findItem(b, k);
            if(!item){
                item = new MultiValueSeqItem;
                item->setName(itemName(recorded_[b].name, k));
                item->setTemporary();
                owner_->addChildItem(item);
            }
            auto seq = item->seq();
            seq->setFrameRate(1.0 / simulatorItem_->worldTimeStep());
            seq->setDimension(numFrames, n);
            seq->setOffsetTimeFrame(static_cast<int>(firstRow_ + skipped));
            for(int frame = 0; frame < numFrames; ++frame){
                for(int i = 0; i < n; ++i){
                    (*seq)(frame, i) = series_[k][(skipped + frame) * total + offset + i];
                }
            }
            item->notifyUpdate();
        }
        offset += n;
    }
    series_.assign(numQuantities, vector<double>());
}
