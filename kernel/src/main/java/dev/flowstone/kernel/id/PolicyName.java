package dev.flowstone.kernel.id;

/** A policy bundle's name, unique in its tenant, shared by all its versions. 1 to {@value Names#MAX_LENGTH} characters, no control characters. */
public record PolicyName(String value) implements Comparable<PolicyName> {
    public PolicyName {
        Names.check("policy name", value);
    }

    @Override
    public int compareTo(PolicyName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
