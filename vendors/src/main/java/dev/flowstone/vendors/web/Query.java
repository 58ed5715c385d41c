package dev.flowstone.vendors.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.StringJoiner;

/** A path's query, grown member by member. */
public final class Query {
    private final String path;
    private final StringJoiner members = new StringJoiner("&");

    public Query(String path) {
        this.path = path;
    }

    public Query with(String name, String value) {
        members.add(name + "=" + URLEncoder.encode(value, UTF_8));
        return this;
    }

    public Query with(String name, int value) {
        return with(name, Integer.toString(value));
    }

    /** The path and its query. */
    @Override
    public String toString() {
        return members.length() == 0 ? path : path + "?" + members;
    }
}
