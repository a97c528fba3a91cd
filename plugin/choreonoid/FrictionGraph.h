/* SPDX-License-Identifier: MIT
 * Recorded quantities of joints against time, each curve in a colour of its own, on a scale that
 * shows all of them, with a line at the time of the time bar.
 */
#ifndef CNOID_STICTION_PLUGIN_FRICTION_GRAPH_H
#define CNOID_STICTION_PLUGIN_FRICTION_GRAPH_H

#include <cnoid/MultiValueSeq>
#include <QColor>
#include <QWidget>
#include <memory>
#include <vector>

namespace cnoid {

class FrictionGraph : public QWidget
{
public:
    //! A joint's part of a sequence.
    struct Curve
    {
        std::shared_ptr<const MultiValueSeq> seq;
        int part;
    };

    //! Of a curve by its index.
    static QColor colorOf(size_t index);

    void setCurves(const std::vector<Curve>& curves);

    virtual QSize sizeHint() const override { return QSize(400, 160); }

protected:
    virtual void paintEvent(QPaintEvent* event) override;

private:
    struct Frame;
    Frame findFrame() const;
    void drawGrid(QPainter& painter, const Frame& frame) const;
    void drawCurve(QPainter& painter, const Frame& frame, const Curve& curve) const;

    std::vector<Curve> curves_;
};

}

#endif
