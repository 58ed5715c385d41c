package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/**
 * The last message heard of each sender (R21). Of {@value #REMEMBERED} senders; those heard longest ago are forgotten. A
 * message of theirs that comes again after that is harmless in itself: who subscribes, releases or returns twice does
 * what it did before, and a signal has a name under which it is dropped.
 */
public final class Heard {
    static final int REMEMBERED = 10_000;

    public static final Heard NOBODY = new Heard(SortedTree.empty(), LongMap.empty(), 0);

    private final SortedTree<RunId, Mark> marks;
    private final LongMap<RunId> order;
    private final long next;

    private Heard(SortedTree<RunId, Mark> marks, LongMap<RunId> order, long next) {
        this.marks = marks;
        this.order = order;
        this.next = next;
    }

    /** Number of the sender's last message; 0 if none is known. */
    public long last(RunId sender) {
        Mark mark = marks.get(sender);
        return mark == null ? 0 : mark.number;
    }

    public Heard with(RunId sender, long number) {
        Mark before = marks.get(sender);
        LongMap<RunId> newOrder = before == null ? order : order.without(before.at);
        SortedTree<RunId, Mark> newMarks = marks.with(sender, new Mark(sender, number, next));
        newOrder = newOrder.with(next, sender);
        if (newOrder.size() > REMEMBERED) {
            long oldest = newOrder.firstKey();
            RunId forgotten = newOrder.get(oldest);
            newOrder = newOrder.without(oldest);
            newMarks = forgotten == null ? newMarks : newMarks.without(forgotten);
        }
        return new Heard(newMarks, newOrder, next + 1);
    }

    public boolean isEmpty() {
        return order.isEmpty();
    }

    public int size() {
        return order.size();
    }

    /** Those heard longest ago first. */
    public JsonArray toJson() {
        List<JsonValue> out = new ArrayList<>(order.size());
        for (RunId sender : order.values()) {
            out.add(JsonObject.builder()
                    .put("sender", sender.toString())
                    .put("number", last(sender))
                    .build());
        }
        return new JsonArray(out);
    }

    public static Heard read(JsonCursor at) {
        Heard heard = NOBODY;
        for (JsonCursor one : at.items()) {
            heard = heard.with(one.as("sender", RunId::parse), one.longValue("number"));
        }
        return heard;
    }

    private record Mark(RunId sender, long number, long at) {}
}
