package dev.flowstone.vendors.standin;

/** What may befall a request. */
public sealed interface Trouble {
    /** It isn't done, and this status is answered, in the vendor's words. */
    record Status(int status) implements Trouble {}

    /** It isn't done, and nothing is answered as long as the stand-in lives. */
    record Slow() implements Trouble {}

    /** It is done, and this status is answered all the same, in the vendor's words. */
    record DoneThen(int status) implements Trouble {}

    /** It is done, and nothing is answered as long as the stand-in lives. */
    record Late() implements Trouble {}

    /** It is done, and the connection breaks before anything is answered. */
    record Lost() implements Trouble {}

    /** It is done, and the connection breaks in the midst of the answer. */
    record CutOff() implements Trouble {}

    /** It isn't done: somebody in between answers with a page for people. */
    record WrongType() implements Trouble {}

    /** Somebody else does this first. */
    record Meanwhile(Runnable what) implements Trouble {}

    /** It isn't done, and this is answered. */
    record Answer(Reply reply) implements Trouble {}

    /** It isn't done, but sent elsewhere. */
    record Redirect(int status, String to) implements Trouble {}
}
