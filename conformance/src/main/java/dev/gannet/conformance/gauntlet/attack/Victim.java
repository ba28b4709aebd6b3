package dev.gannet.conformance.gauntlet.attack;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A server under attack: its plaintext address and its TLS address. */
public record Victim(InetSocketAddress plaintext, InetSocketAddress tls) {
  /** A server on this machine. */
  public static Victim onLoopback(int port, int tlsPort) {
    InetAddress here = InetAddress.getLoopbackAddress();
    return new Victim(new InetSocketAddress(here, port), new InetSocketAddress(here, tlsPort));
  }
}
