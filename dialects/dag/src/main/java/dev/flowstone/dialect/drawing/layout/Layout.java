package dev.flowstone.dialect.drawing.layout;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Where everything is.
 *
 * @param boxes the boxes' centres
 * @param routes the links' courses
 */
public record Layout(double width, double height, List<Point> boxes, List<Route> routes) {
    public Layout {
        boxes = List.copyOf(boxes);
        routes = List.copyOf(routes);
    }

    /** How many bends and boxes a drawing would have; what its cost grows with. */
    public static long size(List<Box> boxes, List<Link> links) {
        int[] rank = Ranks.of(boxes.size(), links, Ranks.backward(boxes.size(), links));
        long size = boxes.size();
        for (Link link : links) {
            size += Math.abs((long) rank[link.to()] - rank[link.from()]);
        }
        return size;
    }

    public static Layout of(List<Box> boxes, List<Link> links) {
        boolean[] backward = Ranks.backward(boxes.size(), links);
        Layers layers = new Layers(boxes, links, backward, Ranks.of(boxes.size(), links, backward));
        new Ordering(layers).order();
        Coordinates coordinates = new Coordinates(layers);
        coordinates.place();
        return new Layout(
                coordinates.width(),
                coordinates.height(),
                centres(boxes, coordinates),
                routes(boxes, links, backward, layers, coordinates));
    }

    private static List<Point> centres(List<Box> boxes, Coordinates coordinates) {
        List<Point> centres = new ArrayList<>();
        for (int box = 0; box < boxes.size(); box++) {
            centres.add(coordinates.centre(box));
        }
        return centres;
    }

    private static List<Route> routes(
            List<Box> boxes, List<Link> links, boolean[] backward, Layers layers, Coordinates coordinates) {
        Ports ports = new Ports(boxes, links, backward, layers, coordinates);
        List<Route> routes = new ArrayList<>();
        for (int link = 0; link < links.size(); link++) {
            if (links.get(link).from() == links.get(link).to()) {
                routes.add(loop(
                        boxes.get(links.get(link).from()),
                        coordinates.centre(links.get(link).from())));
                continue;
            }
            List<Point> points = new ArrayList<>();
            points.add(ports.leaving(link));
            Optional<Point> label = Optional.empty();
            for (int bend : layers.bends(link)) {
                Point centre = coordinates.centre(bend);
                points.add(new Point(centre.x(), coordinates.top(layers.layer(bend))));
                points.add(new Point(centre.x(), coordinates.bottom(layers.layer(bend))));
                if (layers.isLabel(bend)) {
                    label = Optional.of(centre);
                }
            }
            points.add(ports.arriving(link));
            routes.add(new Route(backward[link] ? points.reversed() : points, label));
        }
        return routes;
    }

    private static Route loop(Box box, Point centre) {
        double right = centre.x() + box.width() / 2;
        double high = centre.y() - box.height() / 4;
        double low = centre.y() + box.height() / 4;
        return new Route(
                List.of(
                        new Point(right, high),
                        new Point(right + 20, high),
                        new Point(right + 20, low),
                        new Point(right, low)),
                Optional.empty());
    }

    /**
     * A link's course: from one box's border to the other's, in pairs of points; between the pairs it curves, within one it
     * runs straight down.
     *
     * @param label the centre of the room kept for its label
     */
    public record Route(List<Point> points, Optional<Point> label) {
        public Route {
            points = List.copyOf(points);
        }
    }

    /** Where links touch their boxes: side by side, in the order in which they come or go. */
    private static final class Ports {
        private static final double APART = 22;

        private final Point[] leaving;
        private final Point[] arriving;

        Ports(List<Box> boxes, List<Link> links, boolean[] backward, Layers layers, Coordinates coordinates) {
            this.leaving = new Point[links.size()];
            this.arriving = new Point[links.size()];
            List<List<Integer>> down = lists(boxes.size());
            List<List<Integer>> up = lists(boxes.size());
            for (int link = 0; link < links.size(); link++) {
                if (links.get(link).from() != links.get(link).to()) {
                    down.get(upper(links, backward, link)).add(link);
                    up.get(lower(links, backward, link)).add(link);
                }
            }
            for (int box = 0; box < boxes.size(); box++) {
                Point centre = coordinates.centre(box);
                Box size = boxes.get(box);
                spread(
                        down.get(box),
                        link -> coordinates.centre(layers.below(link)).x(),
                        new Point(centre.x(), centre.y() + size.height() / 2),
                        size.width(),
                        leaving);
                spread(
                        up.get(box),
                        link -> coordinates.centre(layers.above(link)).x(),
                        new Point(centre.x(), centre.y() - size.height() / 2),
                        size.width(),
                        arriving);
            }
        }

        Point leaving(int link) {
            return leaving[link];
        }

        Point arriving(int link) {
            return arriving[link];
        }

        private static void spread(
                List<Integer> links,
                java.util.function.ToDoubleFunction<Integer> other,
                Point middle,
                double width,
                Point[] ports) {
            links.sort(Comparator.<Integer>comparingDouble(other).thenComparing(Comparator.naturalOrder()));
            double apart = links.size() < 2 ? 0 : Math.min(APART, width * 0.7 / (links.size() - 1));
            for (int i = 0; i < links.size(); i++) {
                double x = middle.x() + (i - (links.size() - 1) / 2.0) * apart;
                ports[links.get(i)] = new Point(x, middle.y());
            }
        }

        private static List<List<Integer>> lists(int count) {
            List<List<Integer>> lists = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                lists.add(new ArrayList<>());
            }
            return lists;
        }
    }

    static int upper(List<Link> links, boolean[] backward, int link) {
        return backward[link] ? links.get(link).to() : links.get(link).from();
    }

    static int lower(List<Link> links, boolean[] backward, int link) {
        return backward[link] ? links.get(link).from() : links.get(link).to();
    }
}
