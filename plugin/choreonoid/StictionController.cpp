/* SPDX-License-Identifier: MIT
 * Any controller of stiction/controller.h as a SimpleController: a shared library, a Python file, a
 * process connected by a socket or the posture controller, hosted by plugin/controllers/host as in
 * the embedded engine. The options of the item are its specification, LIB.so:kp=20. Compiled a
 * second time with STICTION_BUILT_IN, it is the module of one built-in controller, and the options
 * are those of that controller.
 */
#include "BatchEvents.h"
#include "BodyReadings.h"
#include "ChoreonoidVersions.h"
#include "HostedController.h"
#include <cnoid/BodyItem>
#include <cnoid/Format>
#include <cnoid/ItemList>
#include <cnoid/MessageView>
#include <cnoid/ProjectManager>
#include <cnoid/SimpleController>
#include <cnoid/SimpleControllerItem>
#include <cnoid/SimulatorItem>
#include <cnoid/WorldItem>
#include <controllers/host/controller_host.h>
#include <stiction/load.h>
#include <velocities/velocity_check.h>
#include <dlfcn.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <ostream>
#include <sstream>
#include <typeinfo>

using namespace std;
using namespace cnoid;

namespace {

#ifndef STICTION_BUILT_IN
#define STICTION_BUILT_IN ""
#endif
const string builtIn = STICTION_BUILT_IN; // empty: whatever the options name

class StictionController : public SimpleController, public HostedController
{
public:
    virtual ~StictionController();
    virtual bool configure(SimpleControllerConfig* config) override;
    virtual bool initialize(SimpleControllerIO* io) override;
    virtual bool control() override;
    virtual void stop() override;

    virtual string refusal() const override { return refusedFor; }
    virtual string failure() const override;
    virtual bool isFinished() const override { return isDone; }
    virtual bool isDelayed() const override { return !io->isNoDelayMode(); }
    virtual string library() const override { return usedLibrary; }
    virtual string usedOptions() const override { return shownOptions; }
    virtual const vector<string>& recordNames() const override { return names; }
    virtual void copyTargets(double* targets) const override;
    virtual void copyRecords(double* records) const override;
    virtual void setEfforts(const double* efforts) override;
    virtual void setWanted(const double* positions) override;
    virtual void setObserver(Observer* observer) override { this->observer = observer; }

private:
    void release();
    void findItem();
    vector<string> findFolders() const;
    bool createHost();
    void enableLinks();
    void moveToStart();
    void reportMissingContacts();
    void readOthers(stiction_controller_other* others) const;
    void readJoints(controller_readings* readings);
    void keepOutput();
    void fail(const stiction_error& error);
    static void onLog(void* self, stiction_log_level level, const char* message);

    BodyItem* bodyItem = nullptr;
    SimpleControllerItem* item = nullptr; // of this controller; nullptr: not created by Choreonoid
    SimulatorItem* simulator = nullptr;
    SimpleControllerIO* io = nullptr;
    vector<BodyItem*> others; // of the world
    vector<string> otherNames;
    BodyPtr body;
    unique_ptr<BodyReadings> readings;
    controller_host* host = nullptr; // nullptr: it drives nothing
    string refusedFor, usedLibrary, shownOptions;
    vector<string> names; // of records
    vector<double> torque, efforts, wanted, actuated;
    bool hasEfforts = false; // set by the item
    vector<velocity_check> velocityChecks;
    bool isGuessShown = false; // that velocities are those of positions
    atomic<bool> isDone{false};
    Observer* observer = nullptr;
    mutable mutex outputMutex; // controllers may have threads of their own
    vector<double> targets, records;
    string failedFor;
};

}


StictionController::~StictionController()
{
    release();
}


void StictionController::release()
{
    controller_host_destroy(host);
    host = nullptr;
    readings.reset();
}


bool StictionController::configure(SimpleControllerConfig* config)
{
    bodyItem = dynamic_cast<BodyItem*>(config->bodyItem());
    return true;
}


//! The item knows the simulator, which knows the gravity.
void StictionController::findItem()
{
    item = nullptr;
    simulator = nullptr;
    if(!bodyItem){
        return;
    }
    for(auto& candidate : bodyItem->descendantItems<SimpleControllerItem>()){
        if(candidate->controller() == this){
            item = candidate;
        }
    }
    // one below another controller is started by that
    for(Item* owner = item; owner && !simulator; owner = owner->parentItem()){
        auto controllerItem = dynamic_cast<ControllerItem*>(owner);
        simulator = controllerItem ? controllerItem->simulatorItem() : nullptr;
    }
}


/**
   Where files are looked for. What the user of a batch run names, in an item of the batch's own, is
   relative to the working directory first.
*/
vector<string> StictionController::findFolders() const
{
    const string project = ProjectManager::instance()->currentProjectDirectory();
    vector<string> folders;
    if(item && item->isTemporary()){
        folders = { "", project };
    } else {
        folders = { project, "" };
    }
    if(project.empty()){
        folders = { "" };
    }
    Dl_info info;
    if(dladdr(&builtIn, &info) && info.dli_fname){
        error_code code;
        const auto own = filesystem::absolute(info.dli_fname, code).parent_path();
        folders.push_back((own / STICTION_INSTALLED_CONTROLLERS).lexically_normal().string());
    }
    return folders;
}


void StictionController::onLog(void* self, stiction_log_level level, const char* message)
{
    auto controller = static_cast<StictionController*>(self);
    const bool isInformation = level == STICTION_LOG_INFO;
    putBatchLine(isInformation ? "message" : "warning", controller->io->os(),
                 isInformation ? "" : "warning: ",
                 "controller '" + controller->io->controllerName() + "': " + message);
}


bool StictionController::createHost()
{
    const string all = io->optionString(), own = item ? item->optionString() : all;
    const auto folders = findFolders();
    vector<const char*> folderNames;
    for(auto& folder : folders){
        folderNames.push_back(folder.c_str());
    }
    // of a batch run: they override those of the project; one per line
    vector<string> lines;
    const char* overrides = getenv("STICTION_CONTROLLER");
    istringstream stream(overrides ? overrides : "");
    for(string line; getline(stream, line);){
        lines.push_back(line);
    }
    vector<const char*> extra;
    for(auto& line : lines){
        extra.push_back(line.c_str());
    }
    // the simulator item has options for all controllers, which Choreonoid puts in front
    const string ofSimulator = all.substr(0, all.size() - min(all.size(), own.size()));
    controller_host_def def = {};
    def.setup = readings->describe();
    def.specification = builtIn.empty() ? own.c_str() : builtIn.c_str();
    def.setup.options = builtIn.empty() ? ofSimulator.c_str() : all.c_str();
    def.setup.directory = folders.front().c_str();
    def.setup.timestep = io->timeStep();
    def.setup.log = onLog;
    def.setup.log_user = this;
    def.folders = folderNames.data();
    def.folder_count = folderNames.size();
    def.extra = extra.data();
    def.extra_count = extra.size();
    if(controller_is_none(def.specification)){
        return true;
    }
    const string robotFile = bodyItem ? bodyItem->filePath() : "";
    vector<const char*> otherTexts;
    others.clear();
    otherNames.clear();
    auto world = bodyItem ? bodyItem->findOwnerItem<WorldItem>() : nullptr;
    for(auto& item : world ? world->descendantItems<BodyItem>() : ItemList<BodyItem>()){
        if(item != bodyItem){
            others.push_back(item);
            otherNames.push_back(item->name());
        }
    }
    for(auto& name : otherNames){
        otherTexts.push_back(name.c_str());
    }
    def.setup.robot_file = robotFile.c_str();
    def.setup.other_count = others.size();
    def.setup.others = otherTexts.data();
    stiction_error error = {};
    host = controller_host_create(&def, &error);
    if(!host){
        char text[1700];
        stiction_error_format(&error, text, sizeof text);
        io->os() << io->controllerName() << ": " << text << endl;
        refusedFor = text;
        return false;
    }
    usedLibrary = controller_host_is_built_in(host) ? "" : controller_host_library(host);
    shownOptions = controller_host_options(host);
    const auto needs = controller_host_needs(host);
    for(size_t k = 0; k < needs->record_count; ++k){
        names.push_back(needs->records[k]);
    }
    return true;
}


//! Where the controller wants the simulation to start: of the simulated body, and of ours.
void StictionController::moveToStart()
{
    const auto needs = controller_host_needs(host);
    auto simulated = simulator && bodyItem ? simulator->findSimulationBody(bodyItem) : nullptr;
    for(Body* moved : { body.get(), simulated ? simulated->body() : nullptr }){
        if(!moved || (!needs->start_joints && !needs->start_base)){
            continue;
        }
        if(auto base = needs->start_base){
            moved->rootLink()->setTranslation(Vector3(base[0], base[1], base[2]));
            moved->rootLink()->setRotation(Quaternion(base[3], base[4], base[5], base[6]));
        }
        for(int i = 0; needs->start_joints && i < moved->numJoints(); ++i){
            if(!std::isnan(needs->start_joints[i])){
                moved->joint(i)->q() = needs->start_joints[i];
            }
        }
        moved->calcForwardKinematics();
    }
}


//! Reads the simulated body and writes the efforts.
void StictionController::enableLinks()
{
    const auto needs = controller_host_needs(host);
    for(auto& joint : body->allJoints()){
        if(!isGap(joint)){
            io->enableInput(joint, Link::JointDisplacement | Link::JointVelocity);
        }
    }
    for(auto& joint : body->joints()){
        if(!isGap(joint)){
            joint->setActuationMode(Link::JointEffort);
            io->enableOutput(joint, Link::JointEffort);
        }
    }
    if(readings->isFloating()){
        io->enableInput(body->rootLink(), Link::LinkPosition | Link::LinkTwist);
    }
    for(auto& link : body->links()){
        if(needs->contacts || needs->motion_count > 0){
            io->enableInput(link, Link::LinkContactState);
        }
    }
    if(needs->contacts || needs->motion_count > 0){
        reportMissingContacts();
    }
}


//! Of the simulators that were tested only AIST reports the contacts of a link.
void StictionController::reportMissingContacts()
{
    const char* type = simulator ? typeid(*simulator).name() : "";
    if(!strstr(type, "AISTSimulatorItem")){
        const string text = formatR("it needs contacts, which {0} is not known to report",
                                    simulator ? simulator->displayName() : "this simulator");
        onLog(this, STICTION_LOG_WARNING, text.c_str());
    }
}


bool StictionController::initialize(SimpleControllerIO* io)
{
    this->io = io;
    body = io->body();
    release();
    observer = nullptr;
    refusedFor.clear();
    failedFor.clear();
    usedLibrary.clear();
    shownOptions.clear();
    names.clear();
    isDone = false;
    findItem();
    const Vector3 gravity = simulator ? simulator->getGravity() : Vector3(0.0, 0.0, -9.80665);
    readings = make_unique<BodyReadings>(body, gravity);
    if(!createHost()){
        return false;
    }
    const size_t n = body->numJoints();
    for(auto values : { &torque, &efforts, &actuated }){
        values->assign(n, 0.0);
    }
    for(auto values : { &targets, &wanted }){
        values->assign(n, numeric_limits<double>::quiet_NaN());
    }
    records.assign(names.size(), numeric_limits<double>::quiet_NaN());
    hasEfforts = isGuessShown = false;
    velocityChecks.assign(n, {});
    if(host){
        moveToStart();
        enableLinks();
    }
    return true;
}


/**
   Where a StictionItem is below the simulator, velocities are true already; without one, some
   simulators give none.
*/
void StictionController::readJoints(controller_readings* in)
{
    for(int i = 0; i < body->numJoints(); ++i){
        auto joint = body->joint(i);
        auto& check = velocityChecks[i];
        joint->dq() = velocity_check_step(&check, io->timeStep(), joint->q(), joint->dq());
        in->q[i] = joint->q();
        in->dq[i] = joint->dq();
        if(check.source != VELOCITY_GIVEN && !isGuessShown){
            isGuessShown = true;
            io->os() << io->controllerName() << ": " << io->currentTime() << " s: for joint '"
                     << joint->jointName() << "' the simulator gives "
                     << velocity_source_fault(check.source)
                     << ": velocities are taken from positions" << endl;
        }
    }
}


bool StictionController::control()
{
    if(!host || !failedFor.empty()){
        return false;
    }
    auto in = controller_host_readings(host);
    readJoints(in);
    if(controller_host_begin(host, io->currentTime())){
        const auto& acted = hasEfforts ? efforts : actuated;
        copy(acted.begin(), acted.end(), in->effort);
        copy(wanted.begin(), wanted.end(), in->target);
        readings->read(controller_host_needs(host), in);
        if(in->others){
            readOthers(in->others);
        }
    }
    // what acts in this step was commanded in the last one where the item has a delay
    if(!io->isNoDelayMode()){
        actuated = torque;
    }
    stiction_error error = {};
    if(controller_host_finish(host, torque.data(), &error) != STICTION_OK){
        fail(error);
        return false;
    }
    if(io->isNoDelayMode()){
        actuated = torque;
    }
    keepOutput();
    for(int i = 0; i < body->numJoints(); ++i){
        body->joint(i)->u() = torque[i];
    }
    isDone = controller_host_finished(host);
    return !isDone;
}


void StictionController::readOthers(stiction_controller_other* states) const
{
    for(size_t k = 0; k < others.size(); ++k){
        auto simulated = simulator ? simulator->findSimulationBody(others[k]) : nullptr;
        const Link* root = (simulated ? simulated->body() : others[k]->body())->rootLink();
        Quaternion q(root->R());
        q.normalize();
        const double rotation[] = { q.w(), q.x(), q.y(), q.z() };
        copy_n(root->p().data(), 3, states[k].position);
        copy_n(rotation, 4, states[k].rotation);
        copy_n(root->v().data(), 3, states[k].linear);
        copy_n(root->w().data(), 3, states[k].angular);
    }
}


void StictionController::keepOutput()
{
    lock_guard<mutex> lock(outputMutex);
    const double* steered = controller_host_targets(host);
    for(size_t i = 0; i < targets.size(); ++i){
        targets[i] = std::isnan(steered[i]) ? wanted[i] : steered[i];
    }
    copy_n(controller_host_records(host), records.size(), records.begin());
}


//! The simulation ends before this step.
void StictionController::fail(const stiction_error& error)
{
    char text[1700];
    stiction_error_format(&error, text, sizeof text);
    const string message = formatR("controller '{0}': {1}", io->controllerName(), text);
    {
        lock_guard<mutex> lock(outputMutex);
        failedFor = message;
    }
    // a batch run reports it at its end
    MessageView::instance()->putln(
        message, observer ? MessageView::Normal : MessageView::Error);
    if(simulator){
        requestToStop(simulator, true);
    }
}


string StictionController::failure() const
{
    lock_guard<mutex> lock(outputMutex);
    return failedFor;
}


//! Afterwards the library may be built anew.
void StictionController::stop()
{
    size_t count = 0;
    const auto notes = host ? controller_host_notes(host, &count) : nullptr;
    for(size_t k = 0; k < count; ++k){
        if(observer){
            observer->onNote(notes[k].key, notes[k].text, notes[k].value);
        } else if(strcmp(notes[k].key, "warning") == 0 && notes[k].text){
            onLog(this, STICTION_LOG_WARNING, notes[k].text);
        }
    }
    if(observer && !failedFor.empty()){
        observer->onFailure(failedFor);
    }
    observer = nullptr;
    release();
}


void StictionController::copyTargets(double* to) const
{
    lock_guard<mutex> lock(outputMutex);
    copy(targets.begin(), targets.end(), to);
}


void StictionController::copyRecords(double* to) const
{
    lock_guard<mutex> lock(outputMutex);
    copy(records.begin(), records.end(), to);
}


void StictionController::setEfforts(const double* given)
{
    hasEfforts = true;
    copy_n(given, efforts.size(), efforts.begin());
}


void StictionController::setWanted(const double* positions)
{
    copy_n(positions, wanted.size(), wanted.begin());
}


CNOID_IMPLEMENT_SIMPLE_CONTROLLER_FACTORY(StictionController)
