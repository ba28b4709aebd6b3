package dev.gannet.conformance.h2spec;

import dev.gannet.conformance.h2spec.SpecCase.Outcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The JUnit report that h2spec writes. */
final class SpecReport {
  private static final int FIRST_PRINTABLE = 0x20;
  private static final int LAST_ASCII = 0x7e;

  private SpecReport() {}

  /**
   * Reads all cases, in their order.
   *
   * @throws IOException if it is not such a report
   */
  static List<SpecCase> read(byte[] xml) throws IOException {
    NodeList suites = parse(xml).getElementsByTagName("testsuite");
    List<SpecCase> cases = new ArrayList<>();
    for (int i = 0; i < suites.getLength(); i++) {
      NodeList ofSuite = ((Element) suites.item(i)).getElementsByTagName("testcase");
      for (int number = 1; number <= ofSuite.getLength(); number++) {
        cases.add(readCase((Element) ofSuite.item(number - 1), number));
      }
    }
    return cases;
  }

  private static Element parse(byte[] xml) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(printable(xml)))
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("this is no report of h2spec: " + e.getMessage(), e);
    }
  }

  /**
   * The report contains bytes from the wire unescaped, but XML does not allow control characters.
   */
  private static byte[] printable(byte[] xml) {
    byte[] text = xml.clone();
    for (int i = 0; i < text.length; i++) {
      boolean space = text[i] == '\n' || text[i] == '\r' || text[i] == '\t';
      if (!space && (text[i] < FIRST_PRINTABLE || text[i] > LAST_ASCII)) {
        text[i] = '?';
      }
    }
    return text;
  }

  private static SpecCase readCase(Element element, int number) {
    String detail = "";
    Outcome outcome = Outcome.PASSED;
    NodeList children = element.getElementsByTagName("*");
    for (int i = 0; i < children.getLength(); i++) {
      Element child = (Element) children.item(i);
      outcome = child.getTagName().equals("skipped") ? Outcome.SKIPPED : Outcome.FAILED;
      detail = child.getTextContent().strip();
    }
    return new SpecCase(
        element.getAttribute("package"),
        number,
        element.getAttribute("classname"),
        outcome,
        detail);
  }
}
