package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a route says of itself: its operation in the API's document, and which parameters it takes. What all routes of its
 * scope, method and path have in common is not said here: who may call, the headers, the refusals of the border.
 *
 * @param operation its name, in camel case; unique, and never changed, since clients are generated from it
 * @param path what the variables of its path are, where {@code PathVariables} doesn't know
 * @param request the name of its body's schema; empty if it takes none
 * @param problems what it refuses with, beside what the border does
 * @param version what its answers' entity tag counts
 * @param headers beside those that all routes of its kind have
 */
public record Doc(
        String operation,
        Area area,
        String summary,
        List<Parameter> path,
        List<Parameter> query,
        Optional<String> request,
        List<Answer> answers,
        Set<ProblemCode> problems,
        Version version,
        Set<Header> headers) {
    /** What an entity tag counts, if there is one. */
    public enum Version {
        NONE,
        /** Changes of what is shown; {@code If-Match} makes a change only at that number. */
        REVISION,
        /** Changes of it, of which what is shown is only a part: for {@code If-Match} of a change, and for nothing else. */
        CHANGES,
        /** Events of an execution, whose number {@code Flowstone-Last-Seq} tells, too. */
        SEQUENCE,
        /** The same, where only {@code Flowstone-Last-Seq} tells it. */
        LAST_EVENT,
        /** What it is that is shown: another tag, another content. */
        CONTENT
    }

    /** A header that some routes have. */
    public enum Header {
        /** A stream's: who comes back sends the id that came last. */
        LAST_EVENT_ID,
        /** Where what was made is found. */
        LOCATION
    }

    /**
     * An answer: one that isn't a refusal, or a refusal whose body has more than others'.
     *
     * @param schema the name of its schema; empty if there is no body, or it isn't JSON
     * @param mediaType empty if there is no body
     */
    public record Answer(int status, String says, Optional<String> schema, String mediaType) {
        public Answer {
            requireNonNull(says);
            requireNonNull(schema);
            requireNonNull(mediaType);
        }
    }

    public Doc {
        requireNonNull(area);
        requireNonNull(summary);
        path = List.copyOf(path);
        query = List.copyOf(query);
        requireNonNull(request);
        answers = List.copyOf(answers);
        problems = Set.copyOf(problems);
        requireNonNull(version);
        headers = Set.copyOf(headers);
        if (!operation.matches("[a-z][A-Za-z]{2,60}")) {
            throw new IllegalArgumentException("an operation is named in camel case, not '" + operation + "'");
        }
    }

    /** One that takes no parameters and no body, and answers nothing yet. */
    public static Doc of(String operation, Area area, String summary) {
        return new Doc(
                operation,
                area,
                summary,
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                Set.of(),
                Version.NONE,
                Set.of());
    }

    /** Says what a variable of the path is. */
    public Doc path(Parameter variable) {
        return new Doc(
                operation,
                area,
                summary,
                with(path, List.of(variable)),
                query,
                request,
                answers,
                problems,
                version,
                headers);
    }

    /** It takes these in its query, too. */
    public Doc query(Parameter... more) {
        return new Doc(
                operation,
                area,
                summary,
                path,
                with(query, List.of(more)),
                request,
                answers,
                problems,
                version,
                headers);
    }

    /** It is a list: {@code limit}, {@code cursor}, and {@code after}, which means the same. */
    public Doc paged() {
        return query(Page.PARAMETERS.toArray(Parameter[]::new));
    }

    /** The schema of its body. */
    public Doc takes(String schema) {
        return new Doc(operation, area, summary, path, query, Optional.of(schema), answers, problems, version, headers);
    }

    /** It answers that, as JSON. */
    public Doc answers(int status, String schema, String says) {
        return answers(new Answer(status, says, Optional.of(schema), "application/json"));
    }

    /** It answers that with nothing in it. */
    public Doc answers(int status, String says) {
        return answers(new Answer(status, says, Optional.empty(), ""));
    }

    /** It answers text of this media type. */
    public Doc answersText(String mediaType, String says) {
        return answers(new Answer(200, says, Optional.empty(), mediaType));
    }

    private Doc answers(Answer more) {
        return new Doc(
                operation,
                area,
                summary,
                path,
                query,
                request,
                with(answers, List.of(more)),
                problems,
                version,
                headers);
    }

    /** It refuses so, too. */
    public Doc refuses(ProblemCode... more) {
        Set<ProblemCode> all = EnumSet.noneOf(ProblemCode.class);
        all.addAll(problems);
        all.addAll(List.of(more));
        return new Doc(operation, area, summary, path, query, request, answers, all, version, headers);
    }

    /** It refuses so, with a body that has more than a Problem: the schema extends that. */
    public Doc refusesAs(ProblemCode code, String schema) {
        return refuses(code).answers(new Answer(code.status(), code.title(), Optional.of(schema), Problem.MEDIA_TYPE));
    }

    /** It is a stream: who comes back says with {@code Last-Event-ID} what came last. */
    public Doc resumable() {
        return having(Header.LAST_EVENT_ID);
    }

    /** Each answer that isn't a refusal tells in {@code Location} where the thing is. */
    public Doc located() {
        return having(Header.LOCATION);
    }

    private Doc having(Header header) {
        Set<Header> all = Set.copyOf(with(List.copyOf(headers), List.of(header)));
        return new Doc(operation, area, summary, path, query, request, answers, problems, version, all);
    }

    /** Its answers have an entity tag. */
    public Doc tagged(Version what) {
        return new Doc(operation, area, summary, path, query, request, answers, problems, what, headers);
    }

    private static <T> List<T> with(List<T> some, List<T> more) {
        List<T> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }
}
