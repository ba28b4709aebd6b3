/**
 * HPACK (RFC 7541): encodes header lists to bytes and decodes them, without I/O.
 *
 * <p>This package contains fields and header lists, the tables, the Huffman code, and one decoder
 * and one encoder for each connection. A table entry <em>is</em> a field object; every list that
 * refers to it shares it, and a higher module may attach an object that it derives from a field or
 * a list.
 *
 * <p>It must not contain rules about fields (their grammar, which names are allowed, which secrets
 * are never indexed), frames and CONTINUATION, or anything with a clock, thread, lock, log or
 * socket. Wrong input from a peer leads to a result object, never to an exception.
 */
@NullMarked
package dev.gannet.http2.hpack;

import org.jspecify.annotations.NullMarked;
