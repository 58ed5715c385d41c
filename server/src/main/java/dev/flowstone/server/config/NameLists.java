package dev.flowstone.server.config;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.outbound.Network;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What settings hold that name several things, with commas between them. */
final class NameLists {
    private static final Pattern ACTION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}\\*?|\\*");

    private NameLists() {}

    static List<HandlerName> actions(String text) {
        return names(text).map(NameLists::action).distinct().toList();
    }

    static List<Network> networks(String text) {
        return names(text).map(Network::of).toList();
    }

    static List<String> topics(String text) {
        List<String> topics = names(text).toList();
        if (!topics.stream().allMatch(topic -> TOPIC.matcher(topic).matches())) {
            throw new IllegalArgumentException("no name of a topic");
        }
        return topics;
    }

    static Stream<String> names(String text) {
        return Arrays.stream(text.split(",")).map(String::strip).filter(name -> !name.isEmpty());
    }

    /** An action, or all of a connector. */
    static String limited(String actions) {
        String name = actions.endsWith(".*") ? actions.substring(0, actions.length() - 2) : actions;
        if (!ActionLimit.isName(actions) || !ACTION.matcher(name).matches()) {
            throw new IllegalArgumentException("no name of an action or a connector");
        }
        return actions;
    }

    private static HandlerName action(String name) {
        if (!ACTION.matcher(name).matches() || name.startsWith("core.")) {
            throw new IllegalArgumentException("no name of an action");
        }
        return new HandlerName(name);
    }
}
