package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** IPv6 addresses are written by RFC 5952, section 4. */
final class Ipv6TextTest {
  private static String textOf(String address) throws UnknownHostException {
    return Ipv6Text.of((Inet6Address) InetAddress.getByName(address));
  }

  @ParameterizedTest
  @CsvSource({
    "0:0:0:0:0:0:0:0, ::",
    "0:0:0:0:0:0:0:1, ::1",
    "1:0:0:0:0:0:0:0, 1::",
    "2001:0DB8:0:0:0:0:0:00ab, 2001:db8::ab",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
    "0:0:3:4:5:6:7:8, ::3:4:5:6:7:8",
    "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::"
  })
  void theFirstOfTheLongestRunsOfZerosIsShortened(String whole, String text)
      throws UnknownHostException {
    assertThat(textOf(whole)).isEqualTo(text);
  }

  @Test
  void aZoneIsKept() throws UnknownHostException {
    byte[] linkLocal = InetAddress.getByName("fe80::1").getAddress();
    assertThat(Ipv6Text.of(Inet6Address.getByAddress("", linkLocal, 7))).isEqualTo("fe80::1%7");
  }

  @Test
  void theTextIsThatOfTheSameAddress() throws UnknownHostException {
    for (long seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = new byte[16];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt(256) : 0);
      }
      Inet6Address address = Inet6Address.getByAddress("", bytes, -1);
      assertThat(InetAddress.getByName(Ipv6Text.of(address)))
          .as("seed %d", seed)
          .isEqualTo(address);
    }
  }
}
