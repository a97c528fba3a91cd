/* SPDX-License-Identifier: MIT
 * A plugin that uses the Stiction view as a person would, in Choreonoid's window, and ends the
 * program: 0 if all was as it should be, 1 after sentences about what was not. STICTION_VIEW_PICTURES
 * names a folder for pictures of the window, STICTION_VIEW_FILE the configuration file.
 */
#include <cnoid/App>
#include <cnoid/LazyCaller>
#include <cnoid/MainWindow>
#include <cnoid/MessageView>
#include <cnoid/Plugin>
#include <cnoid/RootItem>
#include <cnoid/ItemList>
#include <cnoid/MultiValueSeqItem>
#include <cnoid/PutPropertyFunction>
#include <cnoid/SimulatorItem>
#include <cnoid/SubSimulatorItem>
#include <cnoid/TimeBar>
#include <cnoid/ViewManager>
#include <QApplication>
#include <QColor>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPixmap>
#include <QPushButton>
#include <QTableView>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>

using namespace std;
using namespace cnoid;

namespace {

// Far more than any of the steps takes.
constexpr int patienceMilliseconds = 20000;

//! Sets a switch of an item as the property view does.
class SwitchSetter : public PutPropertyFunction
{
public:
    SwitchSetter(const string& name, bool value) : wanted(name), value(value) { }

    virtual void operator()
    (const string& name, bool, const function<bool(bool)>& change) override
    {
        if(name == wanted){
            change(value);
        }
    }
    virtual PutPropertyFunction& min(double) override { return *this; }
    virtual PutPropertyFunction& max(double) override { return *this; }
    virtual PutPropertyFunction& range(double, double) override { return *this; }
    virtual PutPropertyFunction& decimals(int) override { return *this; }
    virtual PutPropertyFunction& reset() override { return *this; }
    virtual void operator()(const string&, bool) override { }
    virtual void operator()(const string&, int) override { }
    virtual void operator()(const string&, int, const function<bool(int)>&) override { }
    virtual void operator()(const string&, double) override { }
    virtual void operator()(const string&, double, const function<bool(double)>&) override { }
    virtual void operator()(const string&, const string&) override { }
    virtual void operator()
    (const string&, const string&, const function<bool(const string&)>&) override { }
    virtual void operator()(const string&, const Selection&) override { }
    virtual void operator()(const string&, const Selection&, const function<bool(int)>&) override { }
    virtual void operator()(const string&, const FilePathProperty&) override { }
    virtual void operator()
    (const string&, const FilePathProperty&, const function<bool(const string&)>&) override { }

private:
    string wanted;
    bool value;
};


void set(Item* item, const string& name, bool value)
{
    SwitchSetter setter(name, value);
    item->putProperties(setter);
}


class ViewTest
{
public:
    int run();

private:
    View* view = nullptr;
    QTableView* table = nullptr;
    int failures = 0;

    void check(bool isTrue, const QString& what);
    bool waitFor(const function<bool()>& condition, const QString& what);
    template <class Widget> Widget* find(const char* name);
    void press(const char* name);
    int columnOf(const QString& header);
    QString cell(const QString& header);
    double frictionTorque();
    QString message();
    void enter(const QString& header, const QString& text);
    void choose(const QString& law);
    void takePicture(const char* name);

    void showConfiguredJoints();
    void editWhileItRuns(SimulatorItem* simulator);
    void refuseWrongValues();
    void undo();
    void changeLawOfAll();
    void write();
    void refuseForeignFile(SimulatorItem* simulator);
    void switchOffWhileItRuns(SimulatorItem* simulator);
    void clearRecords(SimulatorItem* simulator);
    bool isDrawn(const QColor& color);
    void drawSelectedJoint();
    int numRecordedFrames(SimulatorItem* simulator);
    void runFor(SimulatorItem* simulator, double seconds);
};


void ViewTest::check(bool isTrue, const QString& what)
{
    if(!isTrue){
        cerr << "failed: " << what.toStdString() << endl;
        ++failures;
    }
}


bool ViewTest::waitFor(const function<bool()>& condition, const QString& what)
{
    QElapsedTimer clock;
    clock.start();
    while(!condition() && clock.elapsed() < patienceMilliseconds){
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    check(condition(), what + ", in vain");
    return condition();
}


template <class Widget> Widget* ViewTest::find(const char* name)
{
    auto widget = view->findChild<Widget*>(name);
    check(widget, QString("there is no %1").arg(name));
    return widget;
}


void ViewTest::press(const char* name)
{
    auto button = find<QPushButton>(name);
    check(button->isEnabled(), QString("%1 can be pressed").arg(name));
    button->click();
}


//! By the first line of its header; -1: there is none.
int ViewTest::columnOf(const QString& header)
{
    auto model = table->model();
    for(int k = 0; k < model->columnCount(); ++k){
        if(model->headerData(k, Qt::Horizontal, Qt::DisplayRole).toString().split('\n')[0] == header){
            return k;
        }
    }
    return -1;
}


//! Of the only joint.
QString ViewTest::cell(const QString& header)
{
    auto model = table->model();
    return model->index(0, columnOf(header)).data(Qt::DisplayRole).toString();
}


double ViewTest::frictionTorque()
{
    return cell("Friction").split(" / ")[0].toDouble();
}


QString ViewTest::message()
{
    return find<QLabel>("StictionMessage")->text();
}


//! Into a cell, with its editor and the return key.
void ViewTest::enter(const QString& header, const QString& text)
{
    const auto index = table->model()->index(0, columnOf(header));
    table->setCurrentIndex(index);
    table->edit(index);
    auto editor = table->viewport()->findChild<QLineEdit*>();
    check(editor, QString("%1 can be edited").arg(header));
    if(editor){
        editor->setText(text);
        QKeyEvent press(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier);
        QApplication::sendEvent(editor, &press);
        waitFor([this](){ return !table->viewport()->findChild<QLineEdit*>(); }, "the editor closes");
    }
}


void ViewTest::choose(const QString& law)
{
    auto box = find<QComboBox>("StictionLaw");
    const int index = box->findText(law);
    check(index > 0, QString("there is the law %1").arg(law));
    box->setCurrentIndex(index);
    box->activated(index);
}


void ViewTest::takePicture(const char* name)
{
    if(auto folder = getenv("STICTION_VIEW_PICTURES")){
        MainWindow::instance()->grab().save(QString("%1/%2.png").arg(folder, name));
    }
}


void ViewTest::showConfiguredJoints()
{
    waitFor([this](){ return table->model()->rowCount() == 1; }, "one joint is shown");
    check(cell("Joint") == "RWRR", "the joint is RWRR");
    check(cell("Law") == "stribeck", "its law is stribeck");
    check(cell("F_S") == "2.5" && cell("v_S") == "0.06" && cell("D") == "4.5",
          "its parameters are those of the file");
    check(cell("State").isEmpty(), "it neither sticks nor slips before a simulation");
    const auto share = table->model()->index(0, columnOf("Friction")).data(Qt::UserRole);
    check(std::isnan(share.toDouble()), "the bar is empty before a simulation");
    check(!find<QPushButton>("StictionUndo")->isEnabled(), "there is nothing to undo");
    check(!find<QPushButton>("StictionWrite")->isEnabled(), "there is nothing to write");
}


void ViewTest::editWhileItRuns(SimulatorItem* simulator)
{
    check(simulator->startSimulation(), "the simulation starts");
    waitFor([&](){ return simulator->simulationTime() > 4.0 && cell("State") == "sticks"; },
            "the joint comes to rest");
    // it stops short of its target: the controller pushes with more than 1 N m, friction holds
    check(frictionTorque() > 1.1, "friction holds " + cell("Friction"));
    takePicture("sticks");

    enter("F_S", "0.9");
    check(cell("F_S") == "0.9", "the value is shown");
    waitFor([&](){ return cell("State") == "slips" || frictionTorque() <= 0.9; },
            "the joint gives way");
    waitFor([&](){ return cell("State") == "sticks" && frictionTorque() <= 0.9; },
            "the joint sticks with less");
    cout << "friction after the edit: " << cell("Friction").toStdString() << endl;
}


void ViewTest::refuseWrongValues()
{
    enter("D", "-1");
    check(message().contains("viscous"), "the mistake is told: " + message());
    check(cell("D") == "4.5", "nothing was changed");
    enter("B", "1"); // legal by itself, but not with this time step
    check(message().contains("at time step 0.001 s"), "the illegal time step is told: " + message());
    check(cell("B") == "50", "nothing was changed");
}


void ViewTest::undo()
{
    // without its file it can be neither undone nor forgotten
    const QString file = getenv("STICTION_VIEW_FILE");
    check(QFile::rename(file, file + ".away"), "the file is moved away");
    press("StictionUndo");
    check(message().contains("cannot be read"), "why it is not undone is told: " + message());
    check(cell("F_S") == "0.9", "the value that acts is shown");
    check(QFile::rename(file + ".away", file), "the file is back");

    press("StictionUndo");
    check(cell("F_S") == "2.5", "the value is back");
    check(!find<QPushButton>("StictionUndo")->isEnabled(), "nothing else is left to undo");
}


void ViewTest::changeLawOfAll()
{
    choose("rational");
    check(cell("Law") == "rational", "all joints have the law: " + message());
    choose("karnopp"); // which needs a parameter that the file does not give
    check(cell("Law") == "rational", "a law that lacks parameters is refused");
    check(message().contains("stick_velocity"), "and it is told why: " + message());
}


void ViewTest::write()
{
    enter("D", "5.25");
    takePicture("edited");
    press("StictionWrite");
    check(message().contains("wrist.yaml"), "the file is told: " + message());
    check(!find<QPushButton>("StictionWrite")->isEnabled(), "nothing else is left to write");
    check(cell("D") == "5.25" && cell("Law") == "rational", "the values stay");
}


//! A file whose joints the body lacks is refused, and friction stays.
void ViewTest::refuseForeignFile(SimulatorItem* simulator)
{
    auto item = simulator->descendantItems<SubSimulatorItem>().front();
    const QString path = getenv("STICTION_VIEW_FILE");
    check(QFile::rename(path, path + ".away"), "the file is moved away");
    QFile foreign(path);
    check(foreign.open(QIODevice::WriteOnly), "another file is written");
    foreign.write("stiction: 1\njoints:\n  ELBOW: { law: none }\n");
    foreign.close();
    const double before = frictionTorque(), time = simulator->simulationTime();
    set(item, "Reload", true);
    waitFor([&](){ return simulator->simulationTime() > time + 0.5; }, "the simulation goes on");
    check(fabs(frictionTorque() - before) < 0.01 && before > 0.5,
          "friction stays: " + cell("Friction"));
    check(QFile::remove(path) && QFile::rename(path + ".away", path), "the file is back");
    set(item, "Reload", true);
}


//! Which is reported, and does not touch the friction of this simulation.
void ViewTest::switchOffWhileItRuns(SimulatorItem* simulator)
{
    auto item = simulator->descendantItems<SubSimulatorItem>().front();
    string said;
    ScopedConnection connection(MessageView::instance()->sigMessage().connect(
        [&](const string& text){ said += text; }));
    const double time = simulator->simulationTime();
    set(item, "Enabled", false);
    waitFor([&](){ return simulator->simulationTime() > time + 0.1; }, "the simulation goes on");
    check(said.find("'Enabled' acts from the next start") != string::npos, "it is reported");
    check(frictionTorque() > 0.5, "friction stays: " + cell("Friction"));
    set(item, "Enabled", true);
}


//! Of the recorded items.
int ViewTest::numRecordedFrames(SimulatorItem* simulator)
{
    int most = 0;
    for(auto& item : simulator->descendantItems<MultiValueSeqItem>()){
        most = max(most, item->seq()->numFrames());
    }
    return most;
}


void ViewTest::runFor(SimulatorItem* simulator, double seconds)
{
    check(simulator->startSimulation(), "the simulation starts");
    waitFor([&](){ return simulator->simulationTime() > seconds; }, "it runs");
    simulator->stopSimulation(true);
    waitFor([&](){ return !simulator->isRunning(); }, "it ends");
}


//! In the graph.
bool ViewTest::isDrawn(const QColor& color)
{
    const auto picture = find<QWidget>("StictionGraph")->grab().toImage();
    for(int y = 0; y < picture.height(); ++y){
        for(int x = 0; x < picture.width(); ++x){
            if(picture.pixelColor(x, y) == color){
                return true;
            }
        }
    }
    return false;
}


void ViewTest::drawSelectedJoint()
{
    const QColor ofFirst(0x4c, 0x72, 0xb0);
    auto legend = find<QLabel>("StictionLegend");
    table->clearSelection();
    waitFor([&](){ return !legend->text().contains(ofFirst.name()); }, "nothing is selected");
    check(!isDrawn(ofFirst), "no curve is drawn");
    table->selectRow(0);
    waitFor([&](){ return legend->text().contains("RWRR"); }, "the joint of the curve is named");
    check(legend->text().contains(ofFirst.name()), "the name has the colour of the curve");
    check(isDrawn(ofFirst), "the curve is drawn");
    takePicture("graph");
}


//! They follow the recording mode, and are never those of an earlier simulation.
void ViewTest::clearRecords(SimulatorItem* simulator)
{
    auto item = simulator->descendantItems<SubSimulatorItem>().front();
    simulator->setRecordingMode(SimulatorItem::FullRecording);
    runFor(simulator, 0.3);
    check(numRecordedFrames(simulator) > 200, "it is recorded");
    drawSelectedJoint();
    TimeBar::instance()->setTime(0.25);
    waitFor([&](){ return cell("Heat").isEmpty(); }, "the view follows the time bar");
    const auto later = cell("Deflection");
    TimeBar::instance()->setTime(0.05);
    waitFor([&](){ return cell("Deflection") != later; }, "it shows the state of that time");
    simulator->setRecordingMode(SimulatorItem::NoRecording);
    runFor(simulator, 0.3);
    check(numRecordedFrames(simulator) == 0, "recording is off, and the earlier one is gone");
    waitFor([this](){ return !find<QLabel>("StictionLegend")->text().contains("RWRR"); },
            "no curve is left");
    simulator->setRecordingMode(SimulatorItem::FullRecording);
    runFor(simulator, 0.3);
    set(item, "Enabled", false);
    runFor(simulator, 0.3);
    check(numRecordedFrames(simulator) == 0, "the records of an earlier simulation are gone");
    set(item, "Enabled", true);
    simulator->setRecordingMode(SimulatorItem::TailRecording);
    simulator->setTimeLength(0.1);
    runFor(simulator, 0.5);
    check(numRecordedFrames(simulator) == 100, "the tail is recorded");
}


int ViewTest::run()
{
    view = ViewManager::getOrCreateView("Stiction", "StictionView");
    auto simulators = RootItem::instance()->descendantItems<SimulatorItem>();
    check(view, "there is a Stiction view");
    check(!simulators.empty(), "the project has a simulator");
    if(failures == 0){
        view->mountOnMainWindow(true);
        view->bringToFront();
        table = find<QTableView>("StictionTable");
        showConfiguredJoints();
        editWhileItRuns(simulators.front());
        undo();
        refuseForeignFile(simulators.front());
        switchOffWhileItRuns(simulators.front());
        refuseWrongValues();
        changeLawOfAll();
        write();
        simulators.front()->stopSimulation(true);
        waitFor([&](){ return !simulators.front()->isRunning(); }, "the simulation ends");
        check(cell("State") == "sticks", "the last state stays: " + cell("State"));
        clearRecords(simulators.front());
    }
    cout << "view: " << failures << " failures" << endl;
    return failures == 0 ? 0 : 1;
}


class ViewTestPlugin : public Plugin
{
public:
    ViewTestPlugin() : Plugin("StictionViewTest")
    {
        require("Body");
        require("Stiction");
    }

    virtual bool initialize() override
    {
        App::sigExecutionStarted().connect(
            [](){ callLater([](){ App::exit(ViewTest().run()); }); });
        return true;
    }
};

}

CNOID_IMPLEMENT_PLUGIN_ENTRY(ViewTestPlugin);
