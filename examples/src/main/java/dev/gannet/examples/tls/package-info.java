/** TLS and mutual TLS with PEM files. */
@NullMarked
package dev.gannet.examples.tls;

import org.jspecify.annotations.NullMarked;
