/**
 * HPACK (RFC 7541): header lists to octets and back, as pure state.
 *
 * <p>Lives here: fields and header lists, the tables, the Huffman code, one decoder and one encoder
 * for each connection. A table entry <em>is</em> a field object; every list that refers to it
 * shares it, and a higher room may hang what it made of a field or a list onto it.
 *
 * <p>Must not live here: what a field means (its grammar, whether its name is allowed, which
 * secrets are never indexed), frames and CONTINUATION, anything with a clock, thread, lock, log or
 * socket. What a peer sends is answered with a value and never with an exception.
 */
@NullMarked
package dev.gannet.http2.hpack;

import org.jspecify.annotations.NullMarked;
