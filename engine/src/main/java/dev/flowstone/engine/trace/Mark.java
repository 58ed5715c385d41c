package dev.flowstone.engine.trace;

/** A place in a trace; what it is, only its tracer knows. */
public interface Mark {
    /** Nobody follows. */
    Mark NONE = new Mark() {};
}
