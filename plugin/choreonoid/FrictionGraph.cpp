/* SPDX-License-Identifier: MIT */
#include "FrictionGraph.h"
#include <cnoid/TimeBar>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace std;
using namespace cnoid;

namespace {

//! A round number, so that a range has four to ten steps of it.
double gridStep(double range)
{
    const double power = pow(10.0, floor(log10(range / 4.0)));
    const double rest = range / 4.0 / power;
    return power * (rest >= 5.0 ? 5.0 : rest >= 2.0 ? 2.0 : 1.0);
}

double timeAt(const FrictionGraph::Curve& curve, int index)
{
    return (curve.seq->getOffsetTimeFrame() + index) / curve.seq->frameRate();
}

}


//! What is shown, and where.
struct FrictionGraph::Frame
{
    QRectF area;
    double begin, end, low, high;
    double x(double time) const { return area.left() + area.width() * (time - begin) / (end - begin); }
    double y(double value) const { return area.bottom() - area.height() * (value - low) / (high - low); }
};


QColor FrictionGraph::colorOf(size_t index)
{
    static const QColor colors[] = {
        { 0x4c, 0x72, 0xb0 }, { 0xdd, 0x84, 0x52 }, { 0x55, 0xa8, 0x68 }, { 0xc4, 0x4e, 0x52 },
        { 0x81, 0x72, 0xb3 }, { 0x93, 0x78, 0x60 }, { 0xda, 0x8b, 0xc3 }, { 0x64, 0xb5, 0xcd }
    };
    return colors[index % (sizeof(colors) / sizeof(colors[0]))];
}


void FrictionGraph::setCurves(const vector<Curve>& curves)
{
    curves_ = curves;
    update();
}


//! All values and 0.
FrictionGraph::Frame FrictionGraph::findFrame() const
{
    const double infinity = numeric_limits<double>::infinity();
    Frame frame = { QRectF(rect()).adjusted(60.0, 6.0, -10.0, -20.0), infinity, -infinity, 0.0, 0.0 };
    for(auto& curve : curves_){
        const int numFrames = curve.seq->numFrames();
        frame.begin = min(frame.begin, timeAt(curve, 0));
        frame.end = max(frame.end, timeAt(curve, numFrames - 1));
        for(int i = 0; i < numFrames; ++i){
            const double value = (*curve.seq)(i, curve.part);
            frame.low = min(frame.low, value);
            frame.high = max(frame.high, value);
        }
    }
    if(frame.low == frame.high){
        frame.low = -1.0;
        frame.high = 1.0;
    }
    return frame;
}


void FrictionGraph::drawGrid(QPainter& painter, const Frame& frame) const
{
    const auto text = palette().color(QPalette::Text), line = palette().color(QPalette::Mid);
    const double times = gridStep(frame.end - frame.begin), values = gridStep(frame.high - frame.low);
    for(double t = ceil(frame.begin / times) * times; t <= frame.end; t += times){
        painter.setPen(line);
        painter.drawLine(QLineF(frame.x(t), frame.area.top(), frame.x(t), frame.area.bottom()));
        painter.setPen(text);
        painter.drawText(QRectF(frame.x(t) - 40.0, frame.area.bottom(), 80.0, 18.0), Qt::AlignCenter,
                         QString("%1 s").arg(t, 0, 'g', 6));
    }
    for(double v = ceil(frame.low / values); v <= frame.high / values; ++v){
        painter.setPen(line);
        painter.drawLine(QLineF(frame.area.left(), frame.y(v * values), frame.area.right(), frame.y(v * values)));
        painter.setPen(text);
        painter.drawText(QRectF(0.0, frame.y(v * values) - 9.0, frame.area.left() - 4.0, 18.0),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(v * values, 'g', 4));
    }
}


//! Of the values in one column of pixels, the least and the largest.
void FrictionGraph::drawCurve(QPainter& painter, const Frame& frame, const Curve& curve) const
{
    QPolygonF line;
    const int numFrames = curve.seq->numFrames();
    for(int i = 0; i < numFrames;){
        const double x = frame.x(timeAt(curve, i));
        double low = (*curve.seq)(i, curve.part), high = low;
        for(++i; i < numFrames && frame.x(timeAt(curve, i)) < x + 1.0; ++i){
            low = min(low, (*curve.seq)(i, curve.part));
            high = max(high, (*curve.seq)(i, curve.part));
        }
        line << QPointF(x, frame.y(low)) << QPointF(x, frame.y(high));
    }
    painter.drawPolyline(line);
}


void FrictionGraph::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    const auto frame = findFrame();
    if(!(frame.begin < frame.end)){
        return;
    }
    drawGrid(painter, frame);
    painter.setClipRect(frame.area.adjusted(-1.0, -1.0, 1.0, 1.0));
    for(size_t i = 0; i < curves_.size(); ++i){
        painter.setPen(QPen(colorOf(i), 1.5));
        drawCurve(painter, frame, curves_[i]);
    }
    const double now = frame.x(TimeBar::instance()->time());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawLine(QLineF(now, frame.area.top(), now, frame.area.bottom()));
}
