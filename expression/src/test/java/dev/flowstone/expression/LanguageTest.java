package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Expression → value, one line each. A value in capitals is the code of an error. */
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
    Stream<DynamicTest> operators() {
        return table("""
                1 + 2 → 3
                0.1 + 0.2 → 0.30000000000000004
                0.1 + 0.2 === 0.3 → false
                0.1 * 1 === 0.1 → true
                '1' + 2 → "12"
                1 + '2' → "12"
                1 + null → 1
                1 + true → 2
                1 + undefined → TYPE
                'a' + null + undefined → "anullundefined"
                'a' + [1, [2, null], 3] → "a1,2,,3"
                'a' + {} → TYPE
                [] + [] → ""
                1 + 2 + 'a' + 1 + 2 → "3a12"
                7 - '2' → 5
                2 * 3 → 6
                7 / 2 → 3.5
                1 / 0 → TYPE
                -7 % 3 → -1
                7 % 0 → TYPE
                2 ** 10 → 1024
                2 ** 3 ** 2 → 512
                -2 ** 2 → SYNTAX
                (-2) ** 2 → 4
                -trigger.boardId → -7
                +'12' → 12
                +'0x10' → 16
                +'' → 0
                +' 5 ' → 5
                +'5x' → TYPE
                +[] → TYPE
                - -1 → 1
                !0 → true
                !'' → true
                !'0' → false
                ![] → false
                !!{} → true
                !NaN → true
                typeof 1 → "number"
                typeof (1 / 3) → "number"
                typeof '' → "string"
                typeof null → "object"
                typeof undefined → "undefined"
                typeof [] → "object"
                typeof true → "boolean"
                1 < 2 → true
                2 <= 2 → true
                'a' < 'b' → true
                'B' < 'a' → true
                '10' < '9' → true
                '10' < 9 → false
                null < 1 → true
                undefined < 1 → false
                undefined >= 1 → false
                NaN <= NaN → false
                [1] < 2 → TYPE
                3 > 2 > 1 → false
                1 === 1.0 → true
                1 === '1' → false
                1 == '1' → true
                null == undefined → true
                null === undefined → false
                null == 0 → false
                '' == 0 → true
                true == 1 → true
                true == '1' → true
                true === true → true
                NaN === NaN → false
                NaN == NaN → false
                NaN !== NaN → true
                [1] == 1 → true
                [1, 2] == '1,2' → true
                {} == '[object Object]' → false
                [1, {a: 2}] === [1, {a: 2.0}] → true
                {a: 1, b: 2} === {b: 2, a: 1} → true
                {a: 1} === {a: 2} → false
                [1] === {} → false
                [] !== [1] → true
                trigger.yes && trigger.tags[0] → "red"
                trigger.no && trigger.missing.more → false
                trigger.yes || trigger.missing.more → true
                trigger.none ?? 'd' → "d"
                trigger.missing ?? trigger.none ?? 3 → 3
                trigger.zero ?? 1 → 0
                trigger.zero || 1 → 1
                1 && 2 && 3 → 3
                0 || '' || 'x' → "x"
                (1 && 0) || 2 → 2
                true || false && false → true
                a ?? b || c → SYNTAX
                trigger.yes ? 1 : 2 → 1
                trigger.no ? 1 : trigger.empty ? 2 : 3 → 3
                1 + 2 * 3 - 4 / 2 → 5
                (1 + 2) * 3 → 9
                1 | 2 → FORBIDDEN
                1 & 2 → FORBIDDEN
                1 << 2 → FORBIDDEN
                ~1 → FORBIDDEN
                void 0 → FORBIDDEN
                delete trigger.n → FORBIDDEN
                trigger instanceof Object → FORBIDDEN
                """);
    }

    @TestFactory
    Stream<DynamicTest> exactNumbers() {
        return table("""
                trigger.n → 7615917337495251231
                trigger.d → 0.1000000000000000055
                +trigger.n → 7615917337495251231
                -trigger.n → -7615917337495251231
                Number('7615917337495251231') → 7615917337495251231
                trigger.n === 7615917337495251231 → true
                trigger.n === 7615917337495251232 → false
                trigger.n < 7615917337495251232 → true
                trigger.n == '7615917337495251231' → true
                trigger.d === 0.1 → false
                trigger.d > 0.1 → true
                trigger.n + 0 → 7615917337495251000
                trigger.n + 0 === trigger.n → false
                `${trigger.n}` → "7615917337495251231"
                '' + trigger.d → "0.1000000000000000055"
                Math.max(trigger.n, 1) → 7615917337495251231
                Math.floor(trigger.n) → 7615917337495251231
                Math.floor(-1.5) → -2
                Math.ceil(1.2) → 2
                Math.ceil(-1.2) → -1
                Math.round(2.5) → 3
                Math.round(-2.5) → -2
                Math.round(-2.6) → -3
                Math.trunc(-2.6) → -2
                Math.round(1 / 3) → 0
                Math.floor(7 / 2) → 3
                Math.abs(-3) → 3
                Math.min() → TYPE
                Math.min(3, '2', 5) → 2
                Math.max(1, undefined) → TYPE
                Math.max(1, 1 / 3) → 1
                '' + 1e21 → "1e+21"
                '' + 1e20 → "100000000000000000000"
                '' + 0.000001 → "0.000001"
                '' + 0.0000001 → "1e-7"
                '' + 1.50 → "1.5"
                '' + 1 / 3 → "0.3333333333333333"
                '' + (1 / 3) → "0.3333333333333333"
                '' + (-1 / 0) → "-Infinity"
                '' + 0 * -1 → "0"
                1e400 > 1e300 → true
                (1.005).toFixed(2) → "1.01"
                (2).toFixed(2) → "2.00"
                trigger.price.toFixed() → "13"
                (0.1 + 0.2).toFixed(3) → "0.300"
                (1).toFixed(101) → TYPE
                trigger.boardId.toString() → "7"
                (-0.001).toFixed(1) → "-0.0"
                1e1001 > 1 → true
                """);
    }

    @TestFactory
    Stream<DynamicTest> methods() {
        return table("""
                trigger.text.includes('World') → true
                trigger.text.includes('o', 9) → false
                trigger.text.includes('') → true
                trigger.text.startsWith('Hello') → true
                trigger.text.startsWith('World', 7) → true
                trigger.text.endsWith('World') → true
                trigger.text.endsWith('Hello', 5) → true
                trigger.text.indexOf('o') → 4
                trigger.text.indexOf('o', 5) → 8
                trigger.text.indexOf('z') → -1
                trigger.text.toLowerCase() → "hello, world"
                'ΣΟΦΟΣ ΟΣ. Σ Σ̈Σ'.toLowerCase() → "σοφος ος. σ σ̈ς"
                'İÄ'.toLowerCase() → "i̇ä"
                'straße'.toUpperCase() → "STRASSE"
                trigger.text.toUpperCase() → "HELLO, WORLD"
                ' a\\u00a0'.trim() → "a"
                ' a '.trimStart() → "a "
                ' a '.trimEnd() → " a"
                trigger.text.slice(0, 5) → "Hello"
                trigger.text.slice(-5) → "World"
                trigger.text.slice(5, 2) → ""
                trigger.text.substring(5, 0) → "Hello"
                trigger.text.charAt(1) → "e"
                trigger.text.charAt(99) → ""
                trigger.text.charAt(-1) → ""
                trigger.text.at(-1) → "d"
                trigger.text.at(99) → UNKNOWN_NAME
                'a,b,c'.split(',') → ["a","b","c"]
                'a,b,c'.split(',', 2) → ["a","b"]
                'abc'.split('') → ["a","b","c"]
                'abc'.split() → ["abc"]
                ''.split('') → []
                ''.split(',') → [""]
                ',a,'.split(',') → ["","a",""]
                'abc'.concat(1, null) → "abc1null"
                'ab'.repeat(3) → "ababab"
                'ab'.repeat(0) → ""
                'ab'.repeat(-1) → TYPE
                '5'.padStart(3, '0') → "005"
                '5'.padEnd(4, 'ab') → "5aba"
                '5'.padStart(3) → "  5"
                'aXbXc'.replace('X', '-') → "a-bXc"
                'aXbXc'.replaceAll('X', '[$&]') → "a[X]b[X]c"
                'abc'.replaceAll('', '-') → "-a-b-c-"
                'abc'.replace('b', "$`$'$$$x") → "aac$$xc"
                'abc'.replace('z', '-') → "abc"
                trigger.tags.includes('red') → true
                trigger.tags.includes('pink') → false
                [NaN].length → TYPE
                trigger.tags.indexOf('blue') → 2
                trigger.tags.indexOf('pink') → -1
                trigger.payload.includes({x: null}) → true
                trigger.tags.join() → "red,green,blue"
                trigger.tags.join(' + ') → "red + green + blue"
                [null, 1].join('-') → "-1"
                [{}].join() → TYPE
                trigger.tags.slice(1) → ["green","blue"]
                trigger.tags.slice(-2, -1) → ["green"]
                trigger.tags.slice(2, 1) → []
                [1].concat([2, 3], 4, [[5]]) → [1,2,3,4,[5]]
                trigger.tags.at(-1) → "blue"
                trigger.list.map(i => i.n) → [1,2]
                trigger.list.filter(i => i.n > 1).map(i => i.s) → ["y"]
                trigger.list.find(i => i.s === 'y').n → 2
                trigger.list.find(i => i.s === 'z') === undefined → true
                trigger.list.findIndex(i => i.s === 'y') → 1
                trigger.list.some(i => i.n === 2) → true
                trigger.list.every(i => i.n === 2) → false
                [].every(x => false) → true
                trigger.numbers.map((n, i) => n * i) → [0,1,4]
                trigger.numbers.map((n, i, all) => all.length) → [3,3,3]
                trigger.numbers.map(() => 1) → [1,1,1]
                trigger.numbers.filter(n => trigger.numbers.some(m => m > n)) → [1,2]
                trigger.numbers.map(trigger => trigger) → [3,1,2]
                trigger.list.map(i => ({id: i.s})) → [{"id":"x"},{"id":"y"}]
                trigger.list.map(i => i.missing) → [null,null]
                Object.keys(trigger.nested) → ["a","b"]
                Object.values({b: 1, a: 2}) → [2,1]
                Object.entries({b: 1, a: 2}) → [["a",2],["b",1]]
                Object.keys([1]) → TYPE
                Array.isArray(trigger.tags) → true
                Array.isArray('x') → false
                Number('12.50') → 12.5
                Number(null) → 0
                Number() → 0
                Number([]) → TYPE
                String(12) → "12"
                String(null) → "null"
                String({}) → TYPE
                String([1, 2]) → "1,2"
                Boolean('') → false
                Boolean([]) → true
                JSON.stringify({b: [1, 'x"'], a: null}) → "{\\"a\\":null,\\"b\\":[1,\\"x\\\\\\"\\"]}"
                JSON.stringify('\\u0001') → "\\"\\\\u0001\\""
                /^\\d{4}-\\d{2}-\\d{2}$/.test(trigger.timestamp) → true
                /hello/i.test(trigger.text) → true
                /hello/.test(trigger.text) → false
                /a.c/.test('a\\nc') → false
                /a.c/s.test('a\\nc') → true
                /\\s/.test('\\u00a0') → true
                /[\\s,]/.test('a,') → true
                /\\u0041/.test('A') → true
                /^[^\\]]+$/.test('abc') → true
                'k=v;l=w'.match(/(\\w)=(\\w)/) → ["k=v","k","v"]
                'k=v;l=w'.match(/(\\w)=(\\w)/g) → ["k=v","l=w"]
                'abc'.match(/x/) → null
                'ab'.match(/a(x)?/) → ["a",null]
                'v1.2'.match(/v(?<major>\\d+)/)[1] → "1"
                /(?=a)/.test('a') → SYNTAX
                /(a)\\1/.test('aa') → SYNTAX
                /(?i)a/.test('A') → SYNTAX
                /\\Aa/.test('a') → SYNTAX
                /a/y.test('a') → SYNTAX
                /a/.exec('a') → FORBIDDEN
                /a/ → FORBIDDEN
                'a'.match('a') → FORBIDDEN
                'a'.replace(/a/, 'b') → FORBIDDEN
                'abc'.reverse() → FORBIDDEN
                trigger.tags.push(1) → FORBIDDEN
                trigger.boardId.trim() → TYPE
                trigger.missing.trim() → TYPE
                trigger.tags.trim() → TYPE
                'a'.trim(1) → FORBIDDEN
                Math.random() → UNKNOWN_NAME
                Math.PI → UNKNOWN_NAME
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

    private static Stream<DynamicTest> table(String table) {
        return table.lines().map(line -> {
            int arrow = line.lastIndexOf(" → ");
            String source = line.substring(0, arrow);
            return dynamicTest(source, () -> assertEquals(line.substring(arrow + 3), Sample.value(source)));
        });
    }
}
