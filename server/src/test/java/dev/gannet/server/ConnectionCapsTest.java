package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** Connections are counted in when they come and out when they go. */
final class ConnectionCapsTest {
  private static SocketAddress address(int lastOctet, int port) {
    try {
      byte[] ip = {(byte) 192, 0, 2, (byte) lastOctet};
      return new InetSocketAddress(InetAddress.getByAddress(ip), port);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void connectionsAboveTheCapAreRefused() {
    ConnectionCaps caps = new ConnectionCaps(2, ConnectionCaps.UNLIMITED);
    assertThat(caps.enter(address(1, 1))).isTrue();
    assertThat(caps.enter(address(1, 2))).isTrue();
    assertThat(caps.enter(address(2, 3))).isFalse();
    caps.leave(address(1, 1));
    assertThat(caps.enter(address(2, 3))).isTrue();
  }

  @Test
  void eachAddressHasItsOwnCap() {
    ConnectionCaps caps = new ConnectionCaps(ConnectionCaps.UNLIMITED, 2);
    assertThat(caps.enter(address(1, 1))).isTrue();
    assertThat(caps.enter(address(1, 2))).isTrue();
    assertThat(caps.enter(address(1, 3))).isFalse();
    assertThat(caps.enter(address(2, 1))).isTrue();
    caps.leave(address(1, 1));
    caps.leave(address(1, 2));
    assertThat(caps.enter(address(1, 3))).isTrue();
  }

  @Test
  void aRejectedConnectionIsNotCounted() {
    ConnectionCaps caps = new ConnectionCaps(3, 1);
    assertThat(caps.enter(address(1, 1))).isTrue();
    assertThat(caps.enter(address(1, 2))).isFalse();
    assertThat(caps.enter(address(2, 1))).isTrue();
    assertThat(caps.enter(address(3, 1))).isTrue();
    assertThat(caps.enter(address(4, 1))).isFalse();
  }

  @Test
  void addressesWithoutAnIpAreComparedAsAWhole() {
    ConnectionCaps caps = new ConnectionCaps(ConnectionCaps.UNLIMITED, 1);
    assertThat(caps.enter(UnixDomainSocketAddress.of("/one"))).isTrue();
    assertThat(caps.enter(UnixDomainSocketAddress.of("/one"))).isFalse();
    assertThat(caps.enter(UnixDomainSocketAddress.of("/other"))).isTrue();
    assertThat(caps.enter(InetSocketAddress.createUnresolved("host", 1))).isTrue();
    assertThat(caps.enter(InetSocketAddress.createUnresolved("host", 2))).isTrue();
  }
}
