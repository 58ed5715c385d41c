package dev.flowstone.engine.subscription;

import java.util.regex.Pattern;

/** Where events go; how to get there is the server's configuration. */
public sealed interface SinkAddress {
    /** {@code webhook} or {@code kafka}. */
    String kind();

    /** Its name among those of its kind. */
    String target();

    /** An endpoint that the configuration names. */
    record Webhook(String endpoint) implements SinkAddress {
        private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

        public Webhook {
            if (!FORM.matcher(endpoint).matches()) {
                throw new IllegalArgumentException("an endpoint's name is made of 1 to 63 of a-z, 0-9 and hyphens");
            }
        }

        @Override
        public String kind() {
            return "webhook";
        }

        @Override
        public String target() {
            return endpoint;
        }
    }

    /** A topic of the Kafka that the configuration names. */
    record Kafka(String topic) implements SinkAddress {
        private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._-]{1,249}");

        public Kafka {
            if (!FORM.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
                throw new IllegalArgumentException(
                        "a topic's name is made of 1 to 249 letters, digits, dots, underscores and hyphens");
            }
        }

        @Override
        public String kind() {
            return "kafka";
        }

        @Override
        public String target() {
            return topic;
        }
    }

    /** Reads what {@link #kind} and {@link #target} said. */
    static SinkAddress of(String kind, String target) {
        return switch (kind) {
            case "webhook" -> new Webhook(target);
            case "kafka" -> new Kafka(target);
            default -> throw new IllegalArgumentException("there is no sink of the kind '" + kind + "'");
        };
    }
}
