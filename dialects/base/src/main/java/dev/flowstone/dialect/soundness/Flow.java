package dev.flowstone.dialect.soundness;

import java.util.ArrayList;
import java.util.List;

/**
 * The one token of a flow scope: a marking, or a branch's part of one.
 *
 * @param node where it is
 * @param forced of a join that has fired: as what; else empty
 * @param last the last human task's outcome, where a join asks for it
 * @param holds the awaits whose permits are held, sorted
 * @param branches of a fork that is open; else empty
 */
record Flow(String node, String forced, String last, List<String> holds, List<Branch> branches) {
    static Flow at(String node) {
        return new Flow(node, "", "", List.of(), List.of());
    }

    Flow moved(String to, String human) {
        return new Flow(to, "", human, holds, List.of());
    }

    Flow fired(String join, String outcome) {
        return new Flow(join, outcome, last, holds, List.of());
    }

    Flow with(List<Branch> opened) {
        return new Flow(node, "", last, holds, opened);
    }

    Flow with(int index, Branch branch) {
        List<Branch> changed = new ArrayList<>(branches);
        changed.set(index, branch);
        return with(List.copyOf(changed));
    }

    Flow holding(String await) {
        List<String> more = new ArrayList<>(holds);
        more.add(await);
        more.sort(String::compareTo);
        return new Flow(node, forced, last, List.copyOf(more), branches);
    }

    Flow without(String await) {
        List<String> fewer = new ArrayList<>(holds);
        fewer.removeIf(await::equals);
        return new Flow(node, forced, last, List.copyOf(fewer), branches);
    }

    /** How a branch of an open fork stands. */
    sealed interface Branch {
        /** A token is in it. */
        record Running(Flow flow) implements Branch {}

        /** It has arrived. */
        record Arrived(String outcome) implements Branch {}

        /** It ended without arriving. */
        record Died() implements Branch {}
    }
}
