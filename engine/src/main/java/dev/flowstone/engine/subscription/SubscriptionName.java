package dev.flowstone.engine.subscription;

import java.util.regex.Pattern;

/** A subscription's name, unique in its tenant: 1 to 63 characters of a-z, 0-9 and hyphens, the first no hyphen. */
public record SubscriptionName(String value) implements Comparable<SubscriptionName> {
    private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    public SubscriptionName {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "a subscription's name is made of 1 to 63 of a-z, 0-9 and hyphens, and begins with no hyphen");
        }
    }

    @Override
    public int compareTo(SubscriptionName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
