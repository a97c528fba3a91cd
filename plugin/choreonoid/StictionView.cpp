/* SPDX-License-Identifier: MIT */
#include "StictionView.h"
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
    Timer timer;
    // What one click changed: undone together.
    typedef vector<weak_ref_ptr<StictionItem>> Edited;
    vector<Edited> edits;

    Impl(StictionView* self);
    SimulatorItem* findSimulator() const;
    vector<StictionItem*> findItems();
    void update();
    void forgetEdits(const vector<StictionItem*>& items);
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
    box->addWidget(tableView, 1);
    self->setLayout(box);

    timer.setInterval(updateMilliseconds);
    timer.sigTimeout().connect([this](){ update(); });
    update();
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


void StictionView::Impl::update()
{
    const auto items = findItems();
    table.update(items);
    bool isAnyEdited = false;
    for(auto item : items){
        isAnyEdited = isAnyEdited || item->configuration().numEdits() > 0;
    }
    forgetEdits(items);
    undoButton->setEnabled(isAnyEdited);
    writeButton->setEnabled(isAnyEdited);
    lawBox->setEnabled(table.rowCount() > 0);
}


//! Those that were written, or of items that are gone; and finds those of a view that was closed.
void StictionView::Impl::forgetEdits(const vector<StictionItem*>& items)
{
    edits.erase(
        remove_if(edits.begin(), edits.end(), [](const Edited& edited){
            return none_of(edited.begin(), edited.end(), [](const weak_ref_ptr<StictionItem>& item){
                auto there = item.lock();
                return there && there->configuration().numEdits() > 0; }); }),
        edits.end());
    for(auto item : items){
        const bool isKnown = any_of(edits.begin(), edits.end(), [&](const Edited& edited){
            return any_of(edited.begin(), edited.end(), [&](const weak_ref_ptr<StictionItem>& known){
                return known.lock() == item; }); });
        if(!isKnown){
            edits.insert(edits.end(), item->configuration().numEdits(), { item });
        }
    }
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
    Edited edited;
    for(auto item : items){
        if(!item->editValues({ value })){
            for(auto& done : edited){
                done.lock()->undoEdit();
            }
            showMessage(item->errors().back(), true);
            update();
            return false;
        }
        edited.push_back(item);
    }
    edits.push_back(edited);
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


void StictionView::Impl::undo()
{
    // of the items that are shown
    const auto items = findItems();
    auto last = find_if(edits.rbegin(), edits.rend(), [&](const Edited& edited){
        return any_of(edited.begin(), edited.end(), [&](const weak_ref_ptr<StictionItem>& item){
            return std::find(items.begin(), items.end(), item.lock().get()) != items.end(); }); });
    if(last == edits.rend()){
        return;
    }
    string mistake;
    for(auto& edited : *last){
        auto item = edited.lock();
        if(item && !item->undoEdit()){
            mistake = item->errors().back();
        }
    }
    if(mistake.empty()){
        edits.erase(next(last).base());
    }
    showMessage(mistake.empty() ? _("The last edit was taken back.") : mistake, !mistake.empty());
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
