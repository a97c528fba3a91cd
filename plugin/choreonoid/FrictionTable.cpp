/* SPDX-License-Identifier: MIT */
#include "FrictionTable.h"
#include <QApplication>
#include <QComboBox>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstring>
#include "gettext.h"

using namespace std;
using namespace cnoid;

namespace {

// As the reports have them.
const QColor stickColor(0x4c, 0x72, 0xb0), slipColor(0xdd, 0x84, 0x52);

stiction_law_info lawOf(const stiction_joint_def& def)
{
    stiction_law_info law;
    stiction_law_info_find(def.law, &law);
    return law;
}

stiction_parameter_info parameterAt(size_t number)
{
    stiction_parameter_info info = { };
    stiction_parameter_at(number, &info);
    return info;
}

bool readsParameter(const stiction_joint_def& def, const char* key)
{
    stiction_parameter_info info;
    const auto law = lawOf(def);
    for(size_t k = 0; stiction_parameter_at(k, &info); ++k){
        if(strcmp(info.key, key) == 0){
            return law.parameters >> k & 1;
        }
    }
    return false;
}

//! The largest torque at rest; NaN: the law knows none.
double limitOf(const stiction_joint_def& def)
{
    return readsParameter(def, "static_torque") ? def.static_torque :
        readsParameter(def, "coulomb_torque") ? def.coulomb_torque : NAN;
}

//! Whatever the locale, and no digit more than the number needs.
QString exact(double value)
{
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString short3(double value)
{
    return QString::number(value, 'g', 3);
}

QString translated(const string& text)
{
    return QString::fromStdString(text);
}

//! "N m/rad" for a revolute joint is "N/m" for a prismatic one.
QString unitOf(const char* unit, bool isPrismatic)
{
    QString text = unit;
    if(isPrismatic){
        text.replace("N m", "N");
        text.replace("rad", "m");
    }
    return text == "1" ? QString() : text;
}

}


void FrictionTable::update(const vector<StictionItem*>& items)
{
    vector<Row> rows;
    uint64_t read = 0;
    for(auto item : items){
        for(auto& joint : item->jointStatuses()){
            rows.push_back({ item, joint });
            const auto law = lawOf(joint.def);
            for(size_t k = 0; k < stiction_parameter_count(); ++k){
                // what drives have has a column where some joint has it
                const double value = stiction_joint_def_value(&joint.def, k);
                if((law.parameters >> k & 1) && !stiction_parameter_is_neutral(k, value)){
                    read |= uint64_t(1) << k;
                }
            }
        }
    }
    vector<size_t> parameters;
    for(size_t k = 0; k < stiction_parameter_count(); ++k){
        if(read >> k & 1){
            parameters.push_back(k);
        }
    }
    if(!hasSameCells(rows, parameters)){
        beginResetModel();
        rows_ = rows;
        parameters_ = parameters;
        hasSeveralBodies_ = any_of(rows.begin(), rows.end(), [&](const Row& row){
            return row.joint.bodyName != rows.front().joint.bodyName; });
        endResetModel();
        return;
    }
    rows_ = rows;
    if(!rows_.empty()){
        // the columns that can be edited change only with the cells, else an open editor would
        // lose what is being typed
        dataChanged(index(0, State), index(rowCount() - 1, Heat));
    }
}


//! Whether all cells that do not change during a simulation are the same.
bool FrictionTable::hasSameCells(const vector<Row>& rows, const vector<size_t>& parameters) const
{
    if(rows.size() != rows_.size() || parameters != parameters_){
        return false;
    }
    for(size_t k = 0; k < rows.size(); ++k){
        auto& a = rows[k].joint;
        auto& b = rows_[k].joint;
        if(rows[k].item != rows_[k].item || a.bodyName != b.bodyName || a.jointName != b.jointName ||
           strcmp(a.def.law, b.def.law) != 0){
            return false;
        }
        for(auto number : parameters){
            const double x = stiction_joint_def_value(&a.def, number);
            const double y = stiction_joint_def_value(&b.def, number);
            if(x != y && !(std::isnan(x) && std::isnan(y))){
                return false;
            }
        }
    }
    return true;
}


int FrictionTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}


int FrictionTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : FirstParameter + static_cast<int>(parameters_.size());
}


QVariant FrictionTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if(orientation != Qt::Horizontal || section >= columnCount()){
        return QVariant();
    }
    const bool isParameter = section >= FirstParameter;
    const auto parameter =
        isParameter ? parameterAt(parameters_[section - FirstParameter]) : stiction_parameter_info();
    if(role == Qt::ToolTipRole && isParameter){
        return QString("%1: %2").arg(parameter.key, parameter.description);
    }
    if(role != Qt::DisplayRole){
        return QVariant();
    }
    if(isParameter){
        const auto unit = unitOf(parameter.unit, false);
        return unit.isEmpty() ? QString(parameter.symbol) :
            QString("%1\n%2").arg(parameter.symbol, unit);
    }
    switch(section){
    case Joint: return translated(_("Joint"));
    case Law: return translated(_("Law"));
    case State: return translated(_("State"));
    case Friction: return translated(_("Friction")) + "\nN m";
    case Deflection: return translated(_("Deflection")) + "\nrad";
    default: return translated(_("Heat")) + "\nJ";
    }
}


//! Whether the joint's law reads what the column shows.
bool FrictionTable::reads(const Row& row, int column) const
{
    return column < FirstParameter ||
        (lawOf(row.joint.def).parameters >> parameters_[column - FirstParameter] & 1);
}


//! In a configuration; of the columns that can be edited.
string FrictionTable::keyOf(const Row& row, int column) const
{
    return "joints." + row.joint.jointName + "." +
        (column == Law ? "law" : parameterAt(parameters_[column - FirstParameter]).key);
}


//! What can be edited.
QString FrictionTable::valueOf(const Row& row, int column) const
{
    if(column == Law){
        return row.joint.def.law;
    }
    const double value =
        stiction_joint_def_value(&row.joint.def, parameters_[column - FirstParameter]);
    return value == STICTION_AUTO ? QString("auto") : exact(value);
}


QString FrictionTable::textOf(const Row& row, int column) const
{
    auto& joint = row.joint;
    switch(column){
    case Joint:
        return QString::fromStdString(
            hasSeveralBodies_ ? joint.bodyName + "." + joint.jointName : joint.jointName);
    case State:
        return !joint.isSimulated || strcmp(joint.def.law, "none") == 0 ? QString() :
            translated(joint.isSlipping ? _("slips") : _("sticks"));
    case Friction: {
        const double limit = limitOf(joint.def);
        const auto torque = joint.isSimulated ? QString::number(joint.torque, 'f', 2) : QString("-");
        return std::isnan(limit) ? torque : QString("%1 / %2").arg(torque, short3(limit));
    }
    case Deflection:
        return joint.isSimulated ? QString::number(joint.deflection, 'e', 2) : QString();
    case Heat:
        return joint.isSimulated && !std::isnan(joint.dissipatedEnergy) ?
            short3(joint.dissipatedEnergy) : QString();
    default:
        return reads(row, column) ? valueOf(row, column) : QString();
    }
}


QVariant FrictionTable::data(const QModelIndex& index, int role) const
{
    if(!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()){
        return QVariant();
    }
    auto& row = rows_[index.row()];
    const int column = index.column();
    const bool isEditable = flags(index) & Qt::ItemIsEditable;
    switch(role){
    case Qt::DisplayRole:
        return textOf(row, column);
    case Qt::EditRole:
        return isEditable ? QVariant(valueOf(row, column)) : QVariant();
    case Qt::FontRole: {
        QFont font;
        auto& configuration = row.item->configuration();
        font.setBold(isEditable && (configuration.isEdited(keyOf(row, column)) ||
                                    (column == Law && configuration.isEdited("law"))));
        return font;
    }
    case Qt::ForegroundRole:
        return column == State ? QVariant(row.joint.isSlipping ? slipColor : stickColor) : QVariant();
    case Qt::TextAlignmentRole:
        return column >= Deflection ? static_cast<int>(Qt::AlignRight | Qt::AlignVCenter) :
            static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return column >= FirstParameter ?
            QVariant(unitOf(parameterAt(parameters_[column - FirstParameter]).unit,
                            row.joint.isPrismatic)) : QVariant();
    case ShareRole: {
        const double share = row.joint.isSimulated ? row.joint.torque / limitOf(row.joint.def) : NAN;
        return std::isnan(share) ? share : max(-1.0, min(1.0, share));
    }
    case SlipRole:
        return row.joint.isSlipping;
    default:
        return QVariant();
    }
}


Qt::ItemFlags FrictionTable::flags(const QModelIndex& index) const
{
    const auto flags = QAbstractTableModel::flags(index);
    const int column = index.column();
    const bool isEditable = index.isValid() && (column == Law || column >= FirstParameter) &&
        reads(rows_[index.row()], column);
    return isEditable ? flags | Qt::ItemIsEditable : flags;
}


bool FrictionTable::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if(role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)){
        return false;
    }
    const auto row = rows_[index.row()]; // a copy: an edit may update the table
    const auto text = value.toString().trimmed();
    if(text.isEmpty() || text == valueOf(row, index.column())){
        return false;
    }
    return edit && edit(row.item, { keyOf(row, index.column()), text.toStdString() });
}


void FrictionBar::paint
(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(const_cast<QStyleOptionViewItem*>(&option), index);
    const double share = index.data(FrictionTable::ShareRole).toDouble();
    const QRect frame = option.rect.adjusted(3, 3, -3, -3);
    painter->save();
    painter->fillRect(option.rect, option.state & QStyle::State_Selected ?
                      option.palette.highlight() : option.palette.base());
    painter->fillRect(frame, option.palette.alternateBase());
    if(!std::isnan(share)){
        const int middle = frame.left() + frame.width() / 2;
        const int length = static_cast<int>(lround(share * frame.width() / 2));
        auto color = index.data(FrictionTable::SlipRole).toBool() ? slipColor : stickColor;
        color.setAlpha(150);
        painter->fillRect(
            QRect(min(middle, middle + length), frame.top(), abs(length), frame.height()), color);
        painter->setPen(option.palette.color(QPalette::Mid));
        painter->drawLine(middle, frame.top(), middle, frame.bottom());
    }
    painter->setPen(option.palette.color(QPalette::Mid));
    painter->drawRect(frame.adjusted(0, 0, -1, -1));
    painter->setPen(option.palette.color(QPalette::Text));
    painter->drawText(frame, Qt::AlignCenter, index.data(Qt::DisplayRole).toString());
    painter->restore();
}


QSize FrictionBar::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    auto size = QStyledItemDelegate::sizeHint(option, index);
    size.setWidth(max(size.width(), option.fontMetrics.horizontalAdvance("-000.00 / 000") * 2));
    return size;
}


QWidget* LawChooser::createEditor
(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const
{
    auto box = new QComboBox(parent);
    stiction_law_info law;
    for(size_t k = 0; stiction_law_info_at(k, &law); ++k){
        box->addItem(law.name);
    }
    return box;
}


void LawChooser::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    static_cast<QComboBox*>(editor)->setCurrentText(index.data(Qt::EditRole).toString());
}


void LawChooser::setModelData
(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    model->setData(index, static_cast<QComboBox*>(editor)->currentText(), Qt::EditRole);
}
