package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonNull;

/**
 * {@code base.member[0]?.method()…}: followed in a loop. If it begins with a root, the members up to the first method
 * call are recorded as read.
 */
final class Chain implements Node {
    private final Node base;
    private final Link[] links;

    /** How many links from the beginning are recorded; 0 if the base is no root. */
    private final int recorded;

    /** The recorded path if it is known beforehand, else the path of the base. */
    private final String path;

    private final boolean fixedPath;

    Chain(Node base, Link[] links) {
        this.base = base;
        this.links = links.clone();
        this.recorded = base instanceof RootName ? ReadPath.leadingMembers(links) : 0;
        this.fixedPath = ReadPath.isFixed(links, recorded);
        this.path = base instanceof RootName root ? ReadPath.fixed(root.name(), links, fixedPath ? recorded : 0) : "";
    }

    @Override
    public Object evaluate(Frame frame) {
        if (recorded == 0) {
            return follow(base.evaluate(frame), 0, links.length, frame);
        }
        RootName root = (RootName) base;
        frame.meter().step();
        Object value = frame.root(root.name(), root.position());
        return fixedPath ? fixedRead(value, frame) : computedRead(value, frame);
    }

    private Object fixedRead(Object root, Frame frame) {
        Object value = root;
        for (int i = 0; i < recorded; i++) {
            Link link = links[i];
            frame.meter().step();
            if (isNullish(value)) {
                frame.reads().add(ReadPath.fixed(((RootName) base).name(), links, i), value);
                if (link.optional()) {
                    return Undefined.UNDEFINED;
                }
            }
            value = link.follow(value, frame);
        }
        frame.reads().add(path, value);
        return follow(value, recorded, links.length, frame);
    }

    private Object computedRead(Object root, Frame frame) {
        Object value = root;
        StringBuilder text = new StringBuilder(path);
        for (int i = 0; i < recorded; i++) {
            Link link = links[i];
            frame.meter().step();
            if (isNullish(value)) {
                frame.reads().add(text.toString(), value);
                if (link.optional()) {
                    return Undefined.UNDEFINED;
                }
            }
            if (link instanceof Link.Computed computed) {
                Object key = computed.key().evaluate(frame);
                String name = Coercion.name(key, frame.meter(), computed.position());
                value = Member.of(value, name, computed.position());
                ReadPath.appendKey(text, name, Numbers.isNumber(key));
            } else {
                value = link.follow(value, frame);
                ReadPath.append(text, link);
            }
        }
        frame.reads().add(text.toString(), value);
        return follow(value, recorded, links.length, frame);
    }

    private Object follow(Object from, int first, int end, Frame frame) {
        Object value = from;
        for (int i = first; i < end; i++) {
            frame.meter().step();
            if (links[i].optional() && isNullish(value)) {
                return Undefined.UNDEFINED;
            }
            value = links[i].follow(value, frame);
        }
        return value;
    }

    private static boolean isNullish(Object value) {
        return value == JsonNull.NULL || value == Undefined.UNDEFINED;
    }
}
