package dev.flowstone.expression;

import java.util.Arrays;
import java.util.Map;

/**
 * Names in the order of their UTF-16 code units, as the canonical form writes them. Two equal objects may hold their
 * members in different orders; an expression must not be able to tell.
 */
final class MemberNames {
    private MemberNames() {}

    static String[] sorted(Map<String, ?> members, Meter meter) {
        meter.elements(members.size());
        meter.steps(members.size());
        String[] names = members.keySet().toArray(String[]::new);
        Arrays.sort(names);
        return names;
    }
}
