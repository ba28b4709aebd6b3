package dev.gannet.conformance.h2spec;

import java.util.List;

/**
 * A case that h2spec took from RFC 7540 and that RFC 9113 overrules: it must fail.
 *
 * @param name the case, as {@link SpecCase#name}
 * @param reason the section of RFC 9113 and what it says
 */
record Overruled(String name, String reason) {
  /** No others; an overruled case that passes is an error, too. */
  static final List<Overruled> ALL =
      List.of(
          new Overruled(
              "http2/5.3.1/1",
              "RFC 9113 §5.3.2 deprecates priorities; a stream that depends on itself means"
                  + " nothing"),
          new Overruled(
              "http2/5.3.1/2",
              "RFC 9113 §5.3.2 and §6.3: PRIORITY may come at any time, and what it says is"
                  + " ignored"));
}
