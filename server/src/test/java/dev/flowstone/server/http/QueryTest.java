package dev.flowstone.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a query takes is what its parameters say, to the border and to the route alike. */
final class QueryTest {
    private static final List<Parameter> ALL = List.of(
            Parameter.text("text", 5, "A text."),
            Parameter.prose("prose", 5, "Some prose."),
            Parameter.number("number", 2, 20, "A number."),
            Parameter.numberOr("either", 1, 9, List.of("draft"), "A number or a word."),
            Parameter.flag("flag", "A flag."),
            Parameter.time("time", "A time."),
            Parameter.choice("choice", List.of("one", "two"), "One of them."),
            Parameter.words("words", List.of("one", "two"), "Some of them."));

    private static Query query(String raw) throws ProblemException {
        return Query.parse(raw, ALL);
    }

    @Test
    void eachIsReadAsItIsDeclared() throws Exception {
        Query query = query(
                "text=a+b&prose=why&number=20&either=draft&flag=true&time=2026-11-27T23:05:00Z&choice=two&words=two,%20one");

        assertEquals(Optional.of("a b"), query.text("text"));
        assertEquals("why", query.prose("prose", 5));
        assertEquals(Optional.of(20), query.number("number", 2, 20));
        assertEquals(Optional.of("draft"), query.text("either"));
        assertEquals(Optional.of(7), query("either=7").number("either", 1, 9));
        assertTrue(query.flag("flag", false));
        assertEquals(Optional.of(Instant.parse("2026-11-27T23:05:00Z")), query.time("time"));
        assertEquals(List.of("two", "one"), query.words("words"));
        assertEquals(List.of(), query("").words("words"));
        assertEquals("", query("").prose("prose", 5));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            text=123456                 | takes at most 5 characters
            text=%00                    | without a NUL
            prose=                      | takes text of 1 to 5 characters
            prose=+                     | takes text of 1 to 5 characters
            number=1                    | takes a whole number from 2 to 20, not '1'
            number=21                   | takes a whole number from 2 to 20
            number=-2                   | takes a whole number
            number=9999999999999        | takes a whole number
            number=2.0                  | takes a whole number
            either=drafts               | takes draft or a whole number from 1 to 9
            flag=yes                    | takes true or false
            flag=                       | takes true or false
            time=yesterday              | takes a time such as
            time=1969-12-31T23:59:59Z   | takes a time such as
            choice=three                | takes one or two, not 'three'
            choice=One                  | takes one or two
            words=one,three             | takes one, two, with commas between them, not 'three'
            words=one,                  | takes one, two
            none=1                      | unknown query parameter 'none'; this route takes choice,
            flag=true&flag=true         | is given twice
            """)
    void whatAParameterDoesNotTakeIsRefusedByName(String raw, String said) {
        ProblemException refused = assertThrows(ProblemException.class, () -> query(raw));

        assertEquals(ProblemCode.INVALID_REQUEST, refused.problem().code());
        assertTrue(refused.problem().detail().contains(said), refused.problem().detail());
    }

    @Test
    void whatIsNeededIsAskedFor() {
        List<Parameter> needed = List.of(Parameter.text("key", 5, "A key.").needed());

        ProblemException refused = assertThrows(ProblemException.class, () -> Query.parse("", needed));
        assertTrue(
                refused.problem().detail().contains("'key' is missing"),
                refused.problem().detail());
    }

    /** A route that reads otherwise than it declares would make the document untrue: that is a bug, not a caller's fault. */
    @Test
    void whatIsReadOtherwiseThanDeclaredIsABug() throws Exception {
        Query query = query("number=3&flag=true");

        assertThrows(IllegalStateException.class, () -> query.text("undeclared"));
        assertThrows(IllegalStateException.class, () -> query.number("number", 1, 20));
        assertThrows(IllegalStateException.class, () -> query.number("flag", 1, 20));
        assertThrows(IllegalStateException.class, () -> query.flag("number", true));
        assertThrows(IllegalStateException.class, () -> query.time("choice"));
        assertThrows(IllegalStateException.class, () -> query.words("choice"));
        assertThrows(IllegalStateException.class, () -> query.prose("prose", 6));
    }

    /** As of routes that the document doesn't know. */
    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=201", "limit=x"})
    void whatIsDeclaredByItsNameOnlyIsCheckedWhenItIsRead(String raw) throws Exception {
        Route route = Route.get("/x", Scope.PUBLIC, Set.of("limit", "after"), _ -> Reply.nothing());
        Query query = Query.parse(raw, route.query());

        assertThrows(ProblemException.class, () -> Page.limit(query));
        assertEquals(Optional.of("YQ"), Query.parse("cursor=YQ", route.query()).text("after"));
    }
}
