package dev.flowstone.server.http;

/** What a route expects in a request's body. */
public enum BodyRule {
    /** Nothing; a body is refused. */
    NONE,
    /** JSON, or nothing. */
    OPTIONAL,
    /** JSON. */
    REQUIRED,
    /** Anything of whatever type, or nothing: the route judges. */
    ANY
}
