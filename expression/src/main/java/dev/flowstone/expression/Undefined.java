package dev.flowstone.expression;

/** What JavaScript answers for a member that an object does not have. JSON has no such value. */
enum Undefined {
    UNDEFINED
}
