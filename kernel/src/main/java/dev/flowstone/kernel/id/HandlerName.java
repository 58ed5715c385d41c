package dev.flowstone.kernel.id;

/** What a task asks for: an action's registered name, such as {@code core.echo}. 1 to {@value Names#MAX_LENGTH} characters, no control characters. */
public record HandlerName(String value) implements Comparable<HandlerName> {
    public HandlerName {
        Names.check("handler name", value);
    }

    @Override
    public int compareTo(HandlerName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
