/*
 * The layouts in which registers are published.
 *
 * `ftc`: National Do Not Call Registry, full list, as a flat text file (area code, comma, seven digits) or an XML tagged
 * file; zipped. https://www.ftc.gov/opa/2003/08/tmkraccessinfo.htm ("What kinds of files are downloaded?"), and
 * http://www.dontphoneme.com/howtoguides/downloadingdnc.html for the comma.
 *
 * `lnnte`: National Do Not Call List, the same two kinds of files: "416,1234567", or `<ac val='416'><ph val='1234567' />`.
 * One zip file has one file for each area code, or one for all of Canada.
 * https://crtc.gc.ca/eng/phone/telemarketing/format.htm
 *
 * `tps`: (Corporate) Telephone Preference Service, full download: records of 12 characters and CR LF, with or without
 * spaces between the national dialing code and the rest.
 * http://corporate.mpsonline.org.uk/shared/technical_desc.asp?context=CTPS
 *
 * `list`: a number a line, for registers without a published layout.
 */
export const REGISTER_FORMATS = ['ftc', 'lnnte', 'tps', 'list'] as const;
export type RegisterFormat = (typeof REGISTER_FORMATS)[number];
