/* SPDX-License-Identifier: MIT */
#include "StictionView.h"
#include "FrictionGraph.h"
#include "FrictionTable.h"
#include <cnoid/Format>
#include <cnoid/ItemList>
#include <cnoid/RootItem>
#include <cnoid/SimulatorItem>
#include <cnoid/Timer>
#include <cnoid/ViewManager>
#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <algorithm>
#include "gettext.h"

using namespace std;
using namespace cnoid;

namespace {

// Fast enough for the eye, and negligible next to a simulation.
constexpr int updateMilliseconds = 100;

}

namespace cnoid {

class StictionView::Impl
{
public:
    FrictionTable table;
    weak_ref_ptr<SimulatorItem> shown;
    QTableView* tableView;
    QLabel* simulatorLabel;
    QComboBox* lawBox;
    QPushButton* undoButton;
    QPushButton* writeButton;
    QLabel* message;
    QComboBox* quantityBox;
    QLabel* legend;
    FrictionGraph* graph;
    Timer timer;

    Impl(StictionView* self);
    SimulatorItem* findSimulator() const;
    vector<StictionItem*> findItems();
    QWidget* createGraph();
    void update();
    void updateGraph();
    void showMessage(const string& text, bool isError);
    bool edit(const vector<StictionItem*>& items, const StictionItem::Override& value);
    void setLawOfAll(int index);
    void undo();
    void write();
};

}


void StictionView::initializeClass(ExtensionManager* ext)
{
    ext->viewManager().registerClass<StictionView>(N_("StictionView"), N_("Stiction"));
}


StictionView::StictionView()
{
    setDefaultLayoutArea(BottomCenterArea);
    impl = make_unique<Impl>(this);
}


StictionView::~StictionView()
{

}


StictionView::Impl::Impl(StictionView* self)
{
    lawBox = new QComboBox;
    lawBox->setObjectName("StictionLaw");
    lawBox->addItem(_("Law for all joints ..."));
    stiction_law_info law;
    for(size_t k = 0; stiction_law_info_at(k, &law); ++k){
        lawBox->addItem(law.name);
        lawBox->setItemData(lawBox->count() - 1, law.description, Qt::ToolTipRole);
    }
    QObject::connect(lawBox, static_cast<void(QComboBox::*)(int)>(&QComboBox::activated),
                     [this](int index){ setLawOfAll(index); });

    undoButton = new QPushButton(_("Undo"));
    undoButton->setObjectName("StictionUndo");
    undoButton->setToolTip(_("Take the last edit back"));
    QObject::connect(undoButton, &QPushButton::clicked, [this](){ undo(); });

    writeButton = new QPushButton(_("Write to file"));
    writeButton->setObjectName("StictionWrite");
    writeButton->setToolTip(_("Write all edits into the configuration file"));
    QObject::connect(writeButton, &QPushButton::clicked, [this](){ write(); });

    message = new QLabel;
    message->setObjectName("StictionMessage");
    message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // a long message must not widen the window
    message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    tableView = new QTableView;
    tableView->setObjectName("StictionTable");
    tableView->setModel(&table);
    tableView->setFrameShape(QFrame::NoFrame);
    tableView->setItemDelegateForColumn(FrictionTable::Friction, new FrictionBar(tableView));
    tableView->setItemDelegateForColumn(FrictionTable::Law, new LawChooser(tableView));
    tableView->verticalHeader()->hide();
    tableView->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    tableView->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    tableView->setSelectionBehavior(QAbstractItemView::SelectRows);
    tableView->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    tableView->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.edit = [this](StictionItem* item, const StictionItem::Override& value){
        return edit({ item }, value);
    };

    simulatorLabel = new QLabel;

    auto bar = new QHBoxLayout;
    bar->addWidget(simulatorLabel);
    bar->addWidget(lawBox);
    bar->addWidget(undoButton);
    bar->addWidget(writeButton);
    bar->addWidget(message, 1);
    auto box = new QVBoxLayout;
    box->setSpacing(2);
    box->addLayout(bar);
    auto splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(tableView);
    splitter->addWidget(createGraph());
    box->addWidget(splitter, 1);
    self->setLayout(box);

    timer.setInterval(updateMilliseconds);
    timer.sigTimeout().connect([this](){ update(); });
    update();
}


QWidget* StictionView::Impl::createGraph()
{
    quantityBox = new QComboBox;
    quantityBox->setObjectName("StictionQuantity");
    for(auto& name : StictionItem::recordedQuantities()){
        quantityBox->addItem(name.c_str());
    }
    quantityBox->setCurrentIndex(1); // friction torque
    legend = new QLabel;
    legend->setObjectName("StictionLegend");
    legend->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    graph = new FrictionGraph;
    graph->setObjectName("StictionGraph");

    auto bar = new QHBoxLayout;
    bar->addWidget(quantityBox);
    bar->addWidget(legend, 1);
    auto box = new QVBoxLayout;
    box->setContentsMargins(0, 0, 0, 0);
    box->addLayout(bar);
    box->addWidget(graph, 1);
    auto panel = new QWidget;
    panel->setLayout(box);
    return panel;
}


//! Whether the item or one below it is selected in the tree.
static bool isSelected(Item* item)
{
    bool isAny = item->isSelected();
    for(auto& below : item->descendantItems()){
        isAny = isAny || below->isSelected();
    }
    return isAny;
}


//! Of those with a StictionItem; nullptr if there is none.
SimulatorItem* StictionView::Impl::findSimulator() const
{
    SimulatorItem* first = nullptr;
    SimulatorItem* selected = nullptr;
    for(auto& simulator : RootItem::instance()->descendantItems<SimulatorItem>()){
        if(simulator->descendantItems<StictionItem>().empty()){
            continue;
        }
        if(simulator->isRunning()){
            return simulator;
        }
        if(!selected && isSelected(simulator)){
            selected = simulator;
        }
        if(!first || simulator == shown.lock()){
            first = simulator;
        }
    }
    return selected ? selected : first;
}


vector<StictionItem*> StictionView::Impl::findItems()
{
    vector<StictionItem*> items;
    auto simulator = findSimulator();
    if(simulator != shown.lock()){
        message->clear();
    }
    shown = simulator;
    if(simulator){
        for(auto& item : simulator->descendantItems<StictionItem>()){
            // one that is switched off acts until the simulation ends
            if((item->isEnabled() || !item->frictions().empty()) &&
               !item->configurationFile().empty()){
                items.push_back(item);
            }
        }
    }
    simulatorLabel->setText(simulator ? simulator->displayName().c_str() : "");
    return items;
}


//! The number of the latest edit; 0: there is none.
static int lastEdit(const vector<StictionItem*>& items)
{
    int last = 0;
    for(auto item : items){
        last = max(last, item->configuration().lastEdit());
    }
    return last;
}


void StictionView::Impl::update()
{
    const auto items = findItems();
    table.update(items);
    const bool isEdited = lastEdit(items) > 0;
    undoButton->setEnabled(isEdited);
    writeButton->setEnabled(isEdited);
    lawBox->setEnabled(table.rowCount() > 0);
    updateGraph();
}


//! The selected joints, where they were recorded.
void StictionView::Impl::updateGraph()
{
    vector<FrictionGraph::Curve> curves;
    QString names;
    for(auto& index : tableView->selectionModel()->selectedRows()){
        auto& joint = table.jointAt(index.row());
        const auto curve = table.itemAt(index.row())->record(
            joint.bodyName, joint.jointName, quantityBox->currentIndex());
        if(curve.seq){
            names += QString("<font color=\"%1\">%2</font>&nbsp;&nbsp; ")
                .arg(FrictionGraph::colorOf(curves.size()).name(),
                     index.data().toString().toHtmlEscaped());
            curves.push_back(curve);
        }
    }
    legend->setText(curves.empty() ? _("Select joints to see what was recorded of them.") : names);
    graph->setCurves(curves);
}


void StictionView::Impl::showMessage(const string& text, bool isError)
{
    const auto line = QString::fromStdString(text);
    message->setText(line);
    message->setToolTip(line);
    message->setStyleSheet(isError ? "color: #c0392b" : "");
}


//! All of the items take the value, or none does.
bool StictionView::Impl::edit
(const vector<StictionItem*>& items, const StictionItem::Override& value)
{
    const int number = lastEdit(findItems()) + 1;
    for(size_t i = 0; i < items.size(); ++i){
        if(!items[i]->editValues({ value }, number)){
            const string mistake = items[i]->errors().back();
            for(size_t done = 0; done < i; ++done){
                items[done]->undoEdit();
            }
            showMessage(mistake, true);
            update();
            return false;
        }
    }
    showMessage(formatR("{0} = {1}", value.first, value.second), false);
    update();
    return true;
}


void StictionView::Impl::setLawOfAll(int index)
{
    if(index > 0){
        edit(findItems(), { "law", lawBox->itemText(index).toStdString() });
    }
    lawBox->setCurrentIndex(0);
}


//! What one click changed, in all items.
void StictionView::Impl::undo()
{
    const auto items = findItems();
    const int last = lastEdit(items);
    if(last == 0){
        return;
    }
    string message = _("The last edit was taken back.");
    bool isTaken = true;
    for(auto item : items){
        if(item->configuration().lastEdit() == last && !item->undoEdit()){
            message = item->errors().back();
            isTaken = false;
        }
    }
    showMessage(message, !isTaken);
    update();
}


void StictionView::Impl::write()
{
    for(auto item : findItems()){
        if(item->configuration().numEdits() > 0){
            if(!item->writeEdits()){
                showMessage(item->errors().back(), true);
                return;
            }
            showMessage(formatR(_("The edits were written into {0}."), item->configurationFile()), false);
        }
    }
    update();
}


void StictionView::onActivated()
{
    impl->update();
    impl->timer.start();
}


void StictionView::onDeactivated()
{
    impl->timer.stop();
}
