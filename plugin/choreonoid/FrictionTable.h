/* SPDX-License-Identifier: MIT
 * The joints with friction as a table for Qt: law, stick or slip, friction torque, deflection, heat,
 * and the parameters, which can be edited. Knows StictionItems and no view.
 */
#ifndef CNOID_STICTION_PLUGIN_FRICTION_TABLE_H
#define CNOID_STICTION_PLUGIN_FRICTION_TABLE_H

#include "StictionItem.h"
#include <QAbstractTableModel>
#include <QStyledItemDelegate>
#include <functional>

namespace cnoid {

class FrictionTable : public QAbstractTableModel
{
public:
    enum Column { Joint, Law, State, Friction, Deflection, Heat, FirstParameter };

    //! Of the column Friction: torque over the largest torque at rest, from -1 to 1; NaN: no limit.
    static constexpr int ShareRole = Qt::UserRole;
    //! Of the column Friction: whether the joint slips.
    static constexpr int SlipRole = Qt::UserRole + 1;

    //! Called with a value that the user entered. \return whether it was accepted
    std::function<bool(StictionItem* item, const StictionItem::Override& value)> edit;

    //! The joint of a row, as the item reports it.
    const StictionItem::JointStatus& jointAt(int row) const { return rows_[row].joint; }
    StictionItem* itemAt(int row) const { return rows_[row].item; }

    //! Shows these items as they are now.
    void update(const std::vector<StictionItem*>& items);

    virtual int rowCount(const QModelIndex& parent = QModelIndex()) const override;
    virtual int columnCount(const QModelIndex& parent = QModelIndex()) const override;
    virtual QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    virtual QVariant data(const QModelIndex& index, int role) const override;
    virtual Qt::ItemFlags flags(const QModelIndex& index) const override;
    virtual bool setData(const QModelIndex& index, const QVariant& value, int role) override;

private:
    struct Row
    {
        StictionItem* item;
        StictionItem::JointStatus joint;
    };

    bool hasSameCells(const std::vector<Row>& rows, const std::vector<size_t>& parameters) const;
    bool reads(const Row& row, int column) const;
    std::string keyOf(const Row& row, int column) const;
    QString textOf(const Row& row, int column) const;
    QString valueOf(const Row& row, int column) const;

    std::vector<Row> rows_;
    std::vector<size_t> parameters_; // that some law reads: their numbers in the library's table
    bool hasSeveralBodies_ = false;
};


//! Draws the friction torque as a bar against its limit, from the middle to either side.
class FrictionBar : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    virtual void paint(QPainter* painter, const QStyleOptionViewItem& option,
                       const QModelIndex& index) const override;
    virtual QSize sizeHint(const QStyleOptionViewItem& option,
                           const QModelIndex& index) const override;
};


//! Lets one choose a law.
class LawChooser : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    virtual QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const override;
    virtual void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    virtual void setModelData(QWidget* editor, QAbstractItemModel* model,
                              const QModelIndex& index) const override;
};

}

#endif
