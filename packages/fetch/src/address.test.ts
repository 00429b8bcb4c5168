import { expect, test } from 'vitest';
import { isPublicAddress, isSameAddress } from './address.js';

const words = (text: string): string[] => text.trim().split(/\s+/);
const PRIVATE =
  words(`0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.9 169.254.169.254 172.16.0.1
172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1
239.1.1.1 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::8.8.8.8
64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378:: 2001:db8::1 2002:7f00:1:: 2002:808:808::1 3fff::1 4000::1 5f00::1 fc00::1
fd00::1 fe80::1 fec0::1 ff02::1 fe80::1%lo 2606:4700::1111%lo FD00::1 0:0:0:0:0:0:0:1
localhost 1.2.3 [::1] 1.2.3.4.5`);
const PUBLIC =
  words(`1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.0.1 169.255.0.1
172.15.255.255 172.32.0.0 192.0.1.1 192.167.1.1 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
2606:4700:4700::1111 2a00:1450:4001::200e 2001:200::1`);

test.each(['', ...PRIVATE])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
test.each(PUBLIC)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

test('one address in two spellings', () => {
  expect(isSameAddress('1.2.3.4', '1.2.3.4')).toBe(true);
  expect(isSameAddress('2606:4700:0:0::1', '2606:4700::1')).toBe(true);
  expect(isSameAddress('fe80::1%eth0', 'fe80::1')).toBe(true);
  expect(isSameAddress('2606:4700::1', '2606:4700::2')).toBe(false);
  expect(isSameAddress('', '1.2.3.4')).toBe(false);
});
