package dev.flowstone.mail;

import dev.flowstone.action.ParameterFault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Headers that a workflow adds: none of those that say what a message is, whom it is for, and whom it is made for. */
final class Headers {
    private static final int MOST = 20;
    private static final int LONGEST_NAME = 76;
    private static final int LONGEST_VALUE = 900;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*");

    /** What this connector, or a server on the way, writes. */
    private static final Set<String> TAKEN = Set.of(
            "bcc",
            "cc",
            "date",
            "errors-to",
            "from",
            "message-id",
            "mime-version",
            "received",
            "reply-to",
            "return-path",
            "return-receipt-to",
            "sender",
            "subject",
            "to",
            "x-correlation-id");

    private static final List<String> TAKEN_STARTS =
            List.of("arc-", "authentication-", "content-", "dkim-", "received-", "resent-", "x-acting-user-");

    private Headers() {}

    static List<ParameterFault> faults(Map<String, String> headers) {
        if (headers.size() > MOST) {
            return List.of(new ParameterFault("/headers", "a message has " + MOST + " of its own at most"));
        }
        List<ParameterFault> faults = new ArrayList<>();
        Set<String> names = new HashSet<>();
        headers.forEach((name, value) -> {
            check(name, value, faults);
            if (!names.add(name.toLowerCase(Locale.ROOT))) {
                faults.add(new ParameterFault(pointer(name), "is another one's name: case makes no other header"));
            }
        });
        return faults;
    }

    private static void check(String name, String value, List<ParameterFault> faults) {
        String pointer = pointer(name);
        if (name.length() > LONGEST_NAME || !NAME.matcher(name).matches()) {
            faults.add(new ParameterFault(
                    "/headers", "has a name that is none: letters, digits, hyphens and underscores, 76 at most"));
        } else if (isTaken(name.toLowerCase(Locale.ROOT))) {
            faults.add(new ParameterFault(pointer, "is written by Flowstone or by servers on the way: leave it out"));
        } else if (value.length() > LONGEST_VALUE) {
            faults.add(new ParameterFault(pointer, "has more than " + LONGEST_VALUE + " characters"));
        } else if (Line.isBroken(value)) {
            faults.add(new ParameterFault(pointer, "has a line break or another control character in it"));
        }
    }

    private static String pointer(String name) {
        return "/headers/" + name.replace("~", "~0").replace("/", "~1");
    }

    private static boolean isTaken(String name) {
        return TAKEN.contains(name) || TAKEN_STARTS.stream().anyMatch(name::startsWith);
    }
}
