package dev.flowstone.expression;

import static dev.flowstone.expression.Sample.table;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Literals, members and what is refused, one line each: expression → value. A value in capitals is the code of an error. */
final class LanguageTest {
    @TestFactory
    Stream<DynamicTest> literals() {
        return table("""
                1 → 1
                0x1F → 31
                0b101 → 5
                0o17 → 15
                1_000 → 1000
                .5 → 0.5
                1e3 → 1000
                010 → SYNTAX
                08 → SYNTAX
                10n → FORBIDDEN
                'a' → "a"
                "a\\u0041\\x41" → "aAA"
                '\\u{1F600}' → "😀"
                true → true
                null → null
                undefined → UNKNOWN_NAME
                NaN → TYPE
                Infinity → TYPE
                [1, 'a', null, [true]] → [1,"a",null,[true]]
                [] → []
                [1,,2] → SYNTAX
                [1, undefined] → [1,null]
                [NaN] → TYPE
                {a: 1, 'b c': [2], 3: 4} → {"3":4,"a":1,"b c":[2]}
                {a: undefined} → {}
                {} → {}
                `a${1 + 1}b` → "a2b"
                `` → ""
                `${trigger.none}` → "null"
                `a\\`b` → "a`b"
                `}}` → "}}"
                '}}' → "}}"
                {a: {b: 1}} → {"a":{"b":1}}
                """);
    }

    @TestFactory
    Stream<DynamicTest> members() {
        return table("""
                trigger.boardId → 7
                trigger['boardId'] → 7
                trigger['board' + 'Id'] → 7
                trigger.tags[0] → "red"
                trigger.tags['1'] → "green"
                trigger.tags[trigger.numbers[1]] → "green"
                trigger.tags[-1] → UNKNOWN_NAME
                trigger.tags[1.5] → UNKNOWN_NAME
                trigger.tags[9] === undefined → true
                trigger.tags.length → 3
                trigger.text.length → 12
                trigger.text[1] → "e"
                trigger.length → 9
                trigger.emoji.length → 4
                trigger.missing → UNKNOWN_NAME
                trigger.missing === undefined → true
                trigger.missing.more → TYPE
                trigger.none.more → TYPE
                trigger.missing?.more → UNKNOWN_NAME
                trigger.missing?.more.and.more === undefined → true
                trigger?.nested?.a.c[0][1] → 2
                trigger.nested?.missing.more → TYPE
                (trigger.missing?.more).and → TYPE
                trigger.missing?.[0] === undefined → true
                trigger.missing?.[trigger.nothing.at.all] === undefined → true
                trigger.missing?.trim().length === undefined → true
                trigger.missing?.filter(x => x) === undefined → true
                trigger . nested . b → 2
                trigger.missing ?. a === undefined → true
                trigger.yes.anything === undefined → true
                trigger.constructor → "data"
                trigger.tags.constructor === undefined → true
                ''.constructor === undefined → true
                trigger.__proto__ === undefined → true
                trigger[trigger.tags] → TYPE
                trigger['tags']['length'] → 3
                nobody → UNKNOWN_NAME
                nobody.is.here → UNKNOWN_NAME
                typeof nobody → UNKNOWN_NAME
                'boardId' in trigger → true
                'x' in trigger → false
                1 in trigger.tags → true
                3 in trigger.tags → false
                'a' in 'abc' → TYPE
                trigger.default === undefined → true
                {class: 1}.class → 1
                [5, 6][1] → 6
                'abc'[1] → "b"
                """);
    }

    @TestFactory
    Stream<DynamicTest> refusedSyntax() {
        return table("""
                a = 1 → FORBIDDEN
                a += 1 → FORBIDDEN
                a++ → FORBIDDEN
                a, b → FORBIDDEN
                [...a] → FORBIDDEN
                {...a} → FORBIDDEN
                {[a]: 1} → FORBIDDEN
                {get a() { return 1 }} → FORBIDDEN
                {a() { return 1 }} → FORBIDDEN
                this → FORBIDDEN
                new Date() → FORBIDDEN
                x => x → FORBIDDEN
                [1].map(x => { return x }) → FORBIDDEN
                [1].map(function (x) { return x }) → FORBIDDEN
                [1].map(([x]) => x) → FORBIDDEN
                [1].map((x = 1) => x) → FORBIDDEN
                [1].map((a, b, c, d) => a) → FORBIDDEN
                [1].map(String) → FORBIDDEN
                [1].map() → FORBIDDEN
                a`b` → FORBIDDEN
                1; 2 → SYNTAX
                1) + (2 → SYNTAX
                if (a) b → SYNTAX
                /* c */ 1 → SYNTAX
                1 // c → SYNTAX
                a <!-- b → SYNTAX
                (1 → SYNTAX
                'a → SYNTAX
                a.b?.() → FORBIDDEN
                trigger.tags.join?.() → FORBIDDEN
                (x => x)(1) → FORBIDDEN
                trigger['join']() → FORBIDDEN
                """);
    }
}
